//! Tells the tests which platform Cargo builds for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-env=PLATFORM={}", std::env::var("TARGET").unwrap_or_default());
}
