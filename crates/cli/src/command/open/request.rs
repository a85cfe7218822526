//! What is asked of us, and whether it is answered: HTTP as far as one file needs it.
//!
//! Who may have the trace is somebody who knows the address, which has a secret in it. Beyond that, pages in a browser are kept out by the
//! two headers that they cannot choose: `Host` says by which name we were reached, so that no name of others can be made to mean this machine;
//! `Origin` says whose script asks.

use std::fmt::Write;

/// The limits of a request's header, which no browser reaches.
const MAX_HEADERS: usize = 100;
const MAX_HEAD_BYTES: usize = 16 << 10;

/// What is to be had, and by whom.
#[derive(Debug, Clone)]
pub struct ServedTrace {
    pub port: u16,
    pub path: String,
    pub origin: String,
}

/// What is done with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Send,
    SendHead,
    Allow,
    Refuse(Status),
}

/// Why nothing is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    BadRequest,
    /// A page of somebody else asks, or by a name that is not ours.
    Forbidden,
    NotFound,
    MethodNotAllowed,
    TooLarge,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Status::BadRequest => "400 Bad Request",
            Status::Forbidden => "403 Forbidden",
            Status::NotFound => "404 Not Found",
            Status::MethodNotAllowed => "405 Method Not Allowed",
            Status::TooLarge => "431 Request Header Fields Too Large",
        }
    }
}

impl ServedTrace {
    /// The answer to a request, of which `head` has come so far; `None` if the rest of its header is needed.
    pub fn decide(&self, head: &[u8]) -> Option<Answer> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(head) {
            Ok(status) if status.is_complete() => {
                Some(self.answer_to(&request).unwrap_or(Answer::Refuse(Status::BadRequest)))
            }
            Ok(_) if head.len() > MAX_HEAD_BYTES => Some(Answer::Refuse(Status::TooLarge)),
            Ok(_) => None,
            Err(httparse::Error::TooManyHeaders) => Some(Answer::Refuse(Status::TooLarge)),
            Err(_) => Some(Answer::Refuse(Status::BadRequest)),
        }
    }

    /// `None` if a header that matters is there twice.
    fn answer_to(&self, request: &httparse::Request<'_, '_>) -> Option<Answer> {
        let header = |name: &str| {
            let mut values = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
            let value = values.next().map(|header| header.value);
            values.next().is_none().then_some(value)
        };
        let (host, origin) = (header("host")?, header("origin")?);
        let is_us = |host: &[u8]| {
            ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port).as_bytes())
        };
        // A program that is no browser sends no origin.
        if !host.is_some_and(is_us) || origin.is_some_and(|origin| origin != self.origin.as_bytes()) {
            return Some(Answer::Refuse(Status::Forbidden));
        }
        Some(match request.method {
            _ if request.path != Some(self.path.as_str()) => Answer::Refuse(Status::NotFound),
            Some("GET") => Answer::Send,
            Some("HEAD") => Answer::SendHead,
            Some("OPTIONS") => Answer::Allow,
            _ => Answer::Refuse(Status::MethodNotAllowed),
        })
    }

    /// What goes before the file, whose length is `file_bytes`, or is all.
    pub fn answer(&self, answer: Answer, file_bytes: u64) -> String {
        let mut head = String::from("HTTP/1.1 ");
        let line = match answer {
            Answer::Send | Answer::SendHead => "200 OK",
            Answer::Allow => "204 No Content",
            Answer::Refuse(status) => status.line(),
        };
        let _ = write!(
            head,
            "{line}\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        );
        if !matches!(answer, Answer::Refuse(_)) {
            let _ = write!(head, "Access-Control-Allow-Origin: {}\r\nVary: Origin\r\n", self.origin);
        }
        match answer {
            Answer::Send | Answer::SendHead => {
                let _ = write!(
                    head,
                    "Content-Type: application/octet-stream\r\nContent-Length: {file_bytes}\r\n"
                );
            }
            // Browsers ask before a page of the internet reaches a machine at home.
            Answer::Allow => head.push_str(
                "Access-Control-Allow-Methods: GET, HEAD\r\nAccess-Control-Allow-Private-Network: true\r\n",
            ),
            Answer::Refuse(_) => head.push_str("Content-Length: 0\r\n"),
        }
        head.push_str("\r\n");
        head
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn served() -> ServedTrace {
        ServedTrace {
            port: 9001,
            path: "/secret/it".to_owned(),
            origin: "https://ui.perfetto.dev".to_owned(),
        }
    }

    fn judged(lines: &[&str]) -> Answer {
        served().decide(format!("{}\r\n\r\n", lines.join("\r\n")).as_bytes()).unwrap()
    }

    #[test]
    fn only_the_page_and_programs_get_only_the_file() {
        let host = "Host: 127.0.0.1:9001";
        let get = "GET /secret/it HTTP/1.1";
        let page = "Origin: https://ui.perfetto.dev";
        for (lines, expected) in [
            (&[get, host, page, "Accept: */*"][..], Answer::Send),
            (&[get, "hOST:localhost:9001"], Answer::Send),
            (&["HEAD /secret/it HTTP/1.0", host], Answer::SendHead),
            (
                &["OPTIONS /secret/it HTTP/1.1", host, page, "Access-Control-Request-Private-Network: true"],
                Answer::Allow,
            ),
            (&["GET / HTTP/1.1", host], Answer::Refuse(Status::NotFound)),
            (&["GET /secret/../secret/it HTTP/1.1", host], Answer::Refuse(Status::NotFound)),
            (&["GET /secret/it?x HTTP/1.1", host], Answer::Refuse(Status::NotFound)),
            (&["GET http://127.0.0.1:9001/secret/it HTTP/1.1", host], Answer::Refuse(Status::NotFound)),
            (&["POST /secret/it HTTP/1.1", host], Answer::Refuse(Status::MethodNotAllowed)),
            (&["get /secret/it HTTP/1.1", host], Answer::Refuse(Status::MethodNotAllowed)),
            (&[get], Answer::Refuse(Status::Forbidden)),
            (&[get, "Host: evil.example:9001"], Answer::Refuse(Status::Forbidden)),
            (&[get, "Host: 127.0.0.1"], Answer::Refuse(Status::Forbidden)),
            (&[get, "Host: 127.0.0.1:9001.evil.example"], Answer::Refuse(Status::Forbidden)),
            (&[get, host, "Origin: https://evil.example"], Answer::Refuse(Status::Forbidden)),
            (&[get, host, "Origin: null"], Answer::Refuse(Status::Forbidden)),
            (&[get, host, "Origin: http://ui.perfetto.dev"], Answer::Refuse(Status::Forbidden)),
            (&["GET / HTTP/1.1", "Host: evil.example"], Answer::Refuse(Status::Forbidden)),
            (&[get, host, host], Answer::Refuse(Status::BadRequest)),
            (&[get, host, page, page], Answer::Refuse(Status::BadRequest)),
            (&["GET /secret/it HTTP/2", host], Answer::Refuse(Status::BadRequest)),
            (&["GET  /secret/it HTTP/1.1", host], Answer::Refuse(Status::BadRequest)),
            (&[get, "Host 127.0.0.1:9001"], Answer::Refuse(Status::BadRequest)),
            (&["\u{16}\u{3}\u{1}"], Answer::Refuse(Status::BadRequest)),
        ] {
            assert_eq!(judged(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn refusals_say_nothing_of_the_file() {
        let refused = served().answer(Answer::Refuse(Status::Forbidden), 77);
        assert!(refused.starts_with("HTTP/1.1 403 Forbidden\r\n") && refused.ends_with("\r\n\r\n"));
        assert!(!refused.contains("Access-Control") && !refused.contains("77"));
        let sent = served().answer(Answer::Send, 77);
        assert!(sent.contains("Access-Control-Allow-Origin: https://ui.perfetto.dev\r\n"));
        assert!(sent.contains("Content-Length: 77\r\n"));
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_odd(head in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(matches!(served().decide(&head), None | Some(Answer::Refuse(_))));
        }

        #[test]
        fn a_file_is_sent_to_nobody_who_does_not_know_its_address(
            method in "(GET|HEAD|OPTIONS|POST)", path in "/[a-z/]{0,12}", host in "(127.0.0.1:9001|localhost:9001|x)", origin in "(https://ui.perfetto.dev|https://x)") {
            let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\r\n");
            prop_assume!(path != "/secret/it");
            prop_assert!(matches!(served().decide(head.as_bytes()), Some(Answer::Refuse(_))));
        }
    }
}
