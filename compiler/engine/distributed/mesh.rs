//! What the processes of a search need to talk to each other.

/// Somebody of the processes cannot be reached any more: nothing can be done together from now on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broken;

/// Processes that do something together, as one of them sees it.
///
/// They work in rounds. In a round each sends what it likes to whom it likes, says that this is all, and takes what comes until
/// the round is over: then everything that anybody has sent in it has been received, and all begin the next one.
pub trait Mesh {
    /// Which process this is, from 0.
    fn index(&self) -> usize;

    /// How many there are.
    fn processes(&self) -> usize;

    /// Sends something to another process.
    ///
    /// # Errors
    /// If somebody is lost.
    fn send(&mut self, to: usize, parcel: Vec<u8>) -> Result<(), Broken>;

    /// The next thing that has come in this round, and from whom. Things of one sender come in the order in which it sent them.
    ///
    /// # Errors
    /// If somebody is lost.
    fn receive(&mut self) -> Result<Option<(usize, Vec<u8>)>, Broken>;

    /// Says that this process sends nothing more in this round; whether that is over and all has been received. Else waits a
    /// little, and is to be called again.
    ///
    /// # Errors
    /// If somebody is lost.
    fn close(&mut self) -> Result<bool, Broken>;

    /// Asks all to end this round early; for good if this process is at its end. Can be said when the round has been closed.
    ///
    /// # Errors
    /// If somebody is lost.
    fn halt(&mut self, for_good: bool) -> Result<(), Broken>;

    /// Whether somebody has asked to end this round early.
    fn is_halted(&self) -> bool;

    /// Whether somebody is lost, or at its end.
    fn is_over(&self) -> bool;

    /// From now on waits for others no longer than they need if all is well.
    fn end_soon(&mut self);

    /// Bytes that this process has sent to others.
    fn bytes(&self) -> u64;
}

/// A long message is sent in pieces of so many bytes.
const PIECE: usize = 1 << 16;

/// A round in which each tells all others the same; what each has said, by process.
///
/// # Errors
/// If somebody is lost.
pub fn gather(mesh: &mut dyn Mesh, message: Vec<u8>) -> Result<Vec<Vec<u8>>, Broken> {
    let here = mesh.index();
    let mut said = vec![Vec::new(); mesh.processes()];
    for to in (0..mesh.processes()).filter(|to| *to != here) {
        for piece in message.chunks(PIECE) {
            mesh.send(to, piece.to_vec())?;
        }
    }
    said[here] = message;
    loop {
        while let Some((from, piece)) = mesh.receive()? {
            said.get_mut(from).ok_or(Broken)?.extend(piece);
        }
        if mesh.close()? {
            return Ok(said);
        }
    }
}

/// The same for something that is written as JSON.
///
/// # Errors
/// If somebody is lost.
pub fn exchange<T: serde::Serialize + serde::de::DeserializeOwned>(
    mesh: &mut dyn Mesh,
    message: &T,
) -> Result<Vec<T>, Broken> {
    let text = serde_json::to_vec(message).map_err(|_| Broken)?;
    let said = gather(mesh, text)?;
    let read = |text: Vec<u8>| serde_json::from_slice(&text).map_err(|_| Broken);
    said.into_iter().map(read).collect()
}
