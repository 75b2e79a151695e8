//! The log of a match as one piece of bytes. `docs/decisions/0018-packed-logs.md` says how to read it without this program.

use std::io::{Error, ErrorKind, Read, Result, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use jiff::Timestamp;
use serde::de::IgnoredAny;

use super::{JsonText, LogRow, MadeBy};
use engine::Json;

/// What it is, and the number of its format: a later one begins otherwise.
const MARK: &[u8] = b"house-rules log 1\n";
/// Nothing that is larger was a log.
const LARGEST: u64 = 1 << 28;

/// The text of a log, compressed.
pub fn pack(text: &str) -> Result<Vec<u8>> {
    let mut packed = ZlibEncoder::new(MARK.to_vec(), Compression::best());
    packed.write_all(text.as_bytes())?;
    packed.finish()
}

/// The text again, if the bytes are whole.
pub fn unpack(bytes: &[u8]) -> Result<String> {
    let compressed = bytes.strip_prefix(MARK).ok_or_else(|| broken("it does not begin as a packed log does"))?;
    let mut rest = compressed;
    let mut text = String::new();
    let read = ZlibDecoder::new(&mut rest).take(LARGEST).read_to_string(&mut text)?;
    if read as u64 == LARGEST {
        return Err(broken("it is larger than any log"));
    }
    Ok(text)
}

/// The rows of such a text, which are the versions from 0 on without a gap.
pub fn rows(text: &str) -> Result<Vec<LogRow>> {
    // Not by lines: the stored texts of JSON may have such within them.
    let lines = serde_json::Deserializer::from_str(text).into_iter::<Line>();
    let rows: Vec<LogRow> = lines.zip(0..).map(|(line, version)| row(line?, version)).collect::<Result<_>>()?;
    if rows.is_empty() { Err(broken("it has no version")) } else { Ok(rows) }
}

fn row(line: Line, expected: i32) -> Result<LogRow> {
    let (version, seat, made_by, at, _, chosen, chance, events) = line;
    if version != expected {
        return Err(broken("a version is missing"));
    }
    let at = Timestamp::from_microsecond(at).map_err(|err| Error::new(ErrorKind::InvalidData, err))?;
    let [chance, events] = [chance, events].map(JsonText);
    Ok(LogRow { version, seat, chosen: chosen.map(JsonText), chance, events, made_by, at })
}

/// Version, seat, who made it, microseconds since 1970, idempotency key, move, chance, events: `match_log_text` of the database.
type Line = (i32, Option<i16>, MadeBy, i64, IgnoredAny, Option<Json>, Json, Json);

fn broken(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[0, null, \"house\", 1764201600000001, null, null, [{\"dice\":[1,2]}], []]\n\
                        [1, 3, \"player\", 1764201601000000, \"a \\\"key\\\"\", {\"bid\": {\"face\":2}}, [], [{\"to\":\"everyone\"}]]";

    #[test]
    fn a_log_comes_back_byte_for_byte() {
        for text in [TEXT, &TEXT.repeat(1000), "주사위", "[]"] {
            assert_eq!(unpack(&pack(text).unwrap()).unwrap(), text);
        }
        let packed = pack(&TEXT.repeat(1000)).unwrap();
        assert!(
            packed.starts_with(b"house-rules log 1\n") && packed.len() * 50 < TEXT.len() * 1000,
            "{}",
            packed.len()
        );
    }

    #[test]
    fn rows_have_the_texts_as_they_were() {
        let rows = rows(TEXT).unwrap();
        assert_eq!(rows.iter().map(|row| (row.version, row.seat)).collect::<Vec<_>>(), [(0, None), (1, Some(3))]);
        assert_eq!(rows[0].at.to_string(), "2025-11-27T00:00:00.000001Z");
        assert_eq!(
            (rows[0].chosen.is_none(), rows[0].made_by, rows[1].made_by),
            (true, MadeBy::Server, MadeBy::Player)
        );
        assert_eq!(rows[1].chosen.as_ref().unwrap().0.get(), "{\"bid\": {\"face\":2}}");
        assert_eq!((rows[0].chance.0.get(), rows[1].events.0.get()), ("[{\"dice\":[1,2]}]", "[{\"to\":\"everyone\"}]"));
    }

    #[test]
    fn a_log_with_a_gap_is_none() {
        let last = TEXT.lines().last().unwrap();
        for text in [last.to_owned(), format!("{TEXT}\n{last}"), format!("{TEXT}]"), String::new(), "[0]".to_owned()] {
            assert!(rows(&text).is_err(), "{text}");
        }
    }

    #[test]
    fn broken_bytes_are_an_error() {
        let packed = pack(&TEXT.repeat(20)).unwrap();
        for length in 0..packed.len() {
            assert!(unpack(&packed[..length]).is_err(), "{length} of {}", packed.len());
        }
        for at in 0..packed.len() {
            for flip in [1, 0x10, 0xff] {
                let mut bytes = packed.clone();
                bytes[at] ^= flip;
                // Bits that mean nothing may change nothing, as in zlib's word about its level.
                if let Ok(text) = unpack(&bytes) {
                    assert_eq!(text, TEXT.repeat(20), "byte {at}");
                }
            }
        }
        assert!(unpack(b"house-rules log 2\nx").is_err() && unpack(TEXT.as_bytes()).is_err());
    }
}
