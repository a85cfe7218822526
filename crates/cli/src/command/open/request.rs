//! The subset of HTTP that serves one file, and the rules about permitted clients.
//!
//! The address contains a secret, so only a client that knows the address gets the trace. Two
//! headers that scripts cannot set keep out other web pages. `Host` is the name under which the
//! client reached this server; checking it prevents DNS rebinding. `Origin` names the site whose
//! script sends the request.

use std::fmt::Write;

/// Limits of a request's header. No browser reaches them.
const MAX_HEADERS: usize = 100;
const MAX_HEAD_BYTES: usize = 16 << 10;

/// The served trace: its address, and the origin that may fetch it.
#[derive(Debug, Clone)]
pub struct ServedTrace {
    pub port: u16,
    pub path: String,
    pub origin: String,
}

/// The response to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    Send,
    SendHead,
    Allow,
    Refuse(Status),
}

/// Reasons to refuse a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    BadRequest,
    /// The request comes from a script of another site, or names another host.
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
    /// Returns the answer to a request whose first bytes are `head`, or `None` if the header is
    /// incomplete.
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

    /// Returns `None` if `Host` or `Origin` occurs twice.
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
        // Programs other than browsers send no origin.
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

    /// Returns the response header. A file of `file_bytes` bytes follows it if `answer` is
    /// [`Answer::Send`].
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
            // Browsers send this preflight request before a public page may reach a private
            // address.
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
    fn only_the_page_and_programs_get_the_file() {
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
    fn refusals_reveal_nothing_about_the_file() {
        let refused = served().answer(Answer::Refuse(Status::Forbidden), 77);
        assert!(refused.starts_with("HTTP/1.1 403 Forbidden\r\n") && refused.ends_with("\r\n\r\n"));
        assert!(!refused.contains("Access-Control") && !refused.contains("77"));
        let sent = served().answer(Answer::Send, 77);
        assert!(sent.contains("Access-Control-Allow-Origin: https://ui.perfetto.dev\r\n"));
        assert!(sent.contains("Content-Length: 77\r\n"));
    }

    proptest! {
        #[test]
        fn random_bytes_are_never_answered_with_the_file(head in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(matches!(served().decide(&head), None | Some(Answer::Refuse(_))));
        }

        #[test]
        fn a_wrong_path_is_always_refused(
            method in "(GET|HEAD|OPTIONS|POST)", path in "/[a-z/]{0,12}", host in "(127.0.0.1:9001|localhost:9001|x)", origin in "(https://ui.perfetto.dev|https://x)") {
            let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\n\r\n");
            prop_assume!(path != "/secret/it");
            prop_assert!(matches!(served().decide(head.as_bytes()), Some(Answer::Refuse(_))));
        }
    }
}
