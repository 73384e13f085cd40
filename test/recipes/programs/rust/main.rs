//! Runs the load, and a minimal HTTP server for the profiles, as in docs/instrument.md.
mod load;
mod profile;

use std::io::{Read, Write};
use std::net::TcpListener;

fn main() {
    profile::prepare_profiler().expect("no profiler");
    std::thread::spawn(load::work);
    let address = std::env::args().nth(1).expect("no address");
    for stream in TcpListener::bind(address).expect("cannot listen").incoming() {
        let mut stream = stream.expect("no connection");
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).unwrap_or(0);
        let request = String::from_utf8_lossy(&buffer[..length]);
        let seconds = request
            .split_once("seconds=")
            .and_then(|(_, rest)| rest.split([' ', '&']).next()?.parse().ok());
        let body = profile::profile(seconds.unwrap_or(1)).expect("no profile");
        let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/octet-stream";
        let length = body.len();
        let _ = write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n");
        let _ = stream.write_all(&body);
    }
}
