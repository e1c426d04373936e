//! sandalc
