//! Messages for errors of object stores.

use std::error::Error as StdError;

use crate::error::{Error, ErrorKind};

/// The addresses from which programs on rented machines get their credentials.
const METADATA_SERVERS: [&str; 3] = ["169.254.169.254", "metadata.google.internal", "169.254.170.2"];

const CREDENTIALS: &str = "set the environment variables of the store: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY \
                           (s3), GOOGLE_SERVICE_ACCOUNT (gs), or AZURE_STORAGE_ACCOUNT_NAME and \
                           AZURE_STORAGE_ACCOUNT_KEY (az)";

const ENDPOINT: &str = "AWS_ENDPOINT_URL is the address of a server that is not Amazon's; http:// also needs \
                        AWS_ALLOW_HTTP=true";

/// Parts of the messages of errors that occur before a server has answered.
const UNREACHABLE: [&str; 4] = ["onnection refused", "timed out", "dns error", "unreachable"];

/// Returns whether an object does not exist. If the bucket does not exist, that is another error.
pub(super) fn is_missing(error: &object_store::Error) -> bool {
    matches!(error, object_store::Error::NotFound { .. }) && !is_without_bucket(&error.to_string())
}

fn is_without_bucket(text: &str) -> bool {
    ["NoSuchBucket", "ContainerNotFound", "The specified bucket does not exist"]
        .iter()
        .any(|word| text.contains(word))
}

/// Describes an error of an operation on `name`, a URL, in one line.
pub(super) fn describe(name: &str, error: &object_store::Error) -> Error {
    let text = error.to_string();
    let system = |message: String| Error::new(ErrorKind::System, message);
    let bucket = || name.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    if METADATA_SERVERS.iter().any(|server| text.contains(server))
        || text.contains("Account must be specified")
    {
        return system(format!("{name}: there are no credentials for this store")).help(CREDENTIALS);
    }
    if is_without_bucket(&text) {
        return system(format!("{name}: there is no bucket {}", bucket()));
    }
    let answer = answer(&text);
    let reason = answer.clone().unwrap_or_else(|| root(error));
    match error {
        object_store::Error::NotFound { .. } => system(format!("{name}: there is no such object")),
        object_store::Error::PermissionDenied { .. } | object_store::Error::Unauthenticated { .. } => {
            let because = answer.map(|answer| format!(" ({answer})")).unwrap_or_default();
            system(format!("{name}: access denied{because}")).help(CREDENTIALS)
        }
        object_store::Error::NotImplemented { .. } => {
            system(format!("{name}: the store does not support conditional writes, which datasets need"))
        }
        _ if reason.contains("scheme is not allowed") => {
            system(format!("{name}: the address of the server begins with http:")).help(ENDPOINT)
        }
        _ if UNREACHABLE.iter().any(|word| text.contains(word) || reason.contains(word)) => {
            system(format!("{name}: cannot connect to the server: {reason}")).help(ENDPOINT)
        }
        _ => system(format!("{name}: {reason}")),
    }
}

/// Describes the error of a store that is the reason of the error of a query.
pub(crate) fn find(error: &(dyn StdError + 'static)) -> Option<Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<object_store::Error>() {
            return Some(match found {
                object_store::Error::NotFound { path, .. } => deleted(path),
                _ => describe("the object store", found),
            });
        }
        next = error.source();
    }
    // The reader of Parquet keeps only the text of an error.
    let text = error.to_string();
    let (_, cause) = text.split_once("Object Store error: ")?;
    let path = cause.strip_prefix("Object at location ").and_then(|rest| rest.split_once(" not found: "));
    if let Some((path, _)) = path {
        return Some(deleted(path));
    }
    let reason = answer(cause).unwrap_or_else(|| cause.lines().next().unwrap_or_default().to_owned());
    Some(Error::new(ErrorKind::System, format!("the object store: {reason}")))
}

/// Returns the error of a file that was deleted after the commits were read.
fn deleted(path: &str) -> Error {
    Error::new(ErrorKind::System, format!("{path} was deleted while the query ran"))
        .help("another process has replaced its trace: run the query again")
}

/// Returns the code and the message of the answer of a server, which is XML.
fn answer(text: &str) -> Option<String> {
    let element = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        let (value, _) = rest.split_once(&format!("</{name}>"))?;
        Some(value.trim().lines().next().unwrap_or_default().to_owned()).filter(|value| !value.is_empty())
    };
    match (element("Code"), element("Message")) {
        (Some(code), Some(message)) => Some(format!("{code}: {message}")),
        (code, message) => code.or(message),
    }
}

/// Returns the innermost reason of an error, in one line.
fn root(error: &dyn StdError) -> String {
    let mut reason = error;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    reason.to_string().lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_servers_are_shortened() {
        let source = "Server returned non-2xx status code: 403 Forbidden: <?xml version=\"1.0\"?><Error><Code>\
                      SignatureDoesNotMatch</Code><Message>The signature\nis wrong</Message></Error>";
        let error =
            object_store::Error::PermissionDenied { path: "fleet/x".to_owned(), source: source.into() };
        assert_eq!(
            describe("s3://bucket/fleet", &error).message,
            "s3://bucket/fleet: access denied (SignatureDoesNotMatch: The signature)"
        );
        let source = "404: <Code>NoSuchBucket</Code>";
        let error = object_store::Error::NotFound { path: "fleet/x".to_owned(), source: source.into() };
        assert!(!is_missing(&error));
        assert_eq!(
            describe("s3://bucket/fleet", &error).message,
            "s3://bucket/fleet: there is no bucket s3://bucket"
        );
    }
}
