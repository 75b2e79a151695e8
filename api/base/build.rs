//! Migrations are compiled in by a macro that does not see files come and go; so are texts, but a debug build reads
//! those from disk.
fn main() {
    println!("cargo:rerun-if-changed=../../migrations");
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo:rerun-if-changed=../../templates/text");
    }
}
