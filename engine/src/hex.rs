//! Hashes and seeds in JSON: 32 bytes as 64 hexadecimal digits. Written in lower case, read in either.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

/// Not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 64 hexadecimal digits")]
pub struct NotHex;

pub(crate) fn to_hex(bytes: &[u8; 32]) -> String {
    HEXLOWER.encode(bytes)
}

pub(crate) fn from_hex(text: &str) -> Result<[u8; 32], NotHex> {
    let bytes = HEXLOWER_PERMISSIVE.decode(text.as_bytes()).map_err(|_| NotHex)?;
    bytes.try_into().map_err(|_| NotHex)
}

/// Reads and writes a newtype of 32 bytes as hexadecimal digits.
macro_rules! as_hex {
    ($type:ident) => {
        impl $type {
            /// The bytes as 64 hexadecimal digits.
            pub fn to_hex(&self) -> String {
                $crate::hex::to_hex(&self.0)
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::hex::NotHex;

            fn from_str(text: &str) -> Result<Self, $crate::hex::NotHex> {
                $crate::hex::from_hex(text).map($type)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.to_hex())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text: String = serde::Deserialize::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use as_hex;
