//! Styles, scripts and rules are compiled in by a macro that does not see files come and go; a debug build reads them from
//! disk. Askama sees to the templates itself.
fn main() {
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        for folder in ["rules", "static"] {
            println!("cargo:rerun-if-changed=../../templates/{folder}");
        }
    }
}
