//! Migrations and catalogues are compiled in by macros that do not see files come and go.
fn main() {
    println!("cargo:rerun-if-changed=../migrations");
    println!("cargo:rerun-if-changed=../templates");
}
