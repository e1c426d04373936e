//! The workshop's chores: `cargo xtask test` sets up and runs every test.

fn main() {
    println!("usage: cargo xtask test");
}
