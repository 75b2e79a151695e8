//! 32 bytes as 64 hexadecimal digits: how hashes and seeds stand in JSON.

/// Not 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 64 hexadecimal digits")]
pub struct NotHex;

pub(crate) fn to_hex(bytes: &[u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn from_hex(text: &str) -> Result<[u8; 32], NotHex> {
    if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(NotHex);
    }
    let mut bytes = [0; 32];
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * place..2 * place + 2], 16).map_err(|_| NotHex)?;
    }
    Ok(bytes)
}

/// Has a newtype of 32 bytes read and written as hexadecimal digits.
macro_rules! as_hex {
    ($type:ident) => {
        impl $type {
            /// Its 64 hexadecimal digits.
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
