//! Stats as JSON and pages.

pub mod admin;
pub mod chart;
pub mod headlines;
pub mod links;
pub mod rest;
pub mod sheet;
pub mod show;
pub mod tables;
pub mod tabs;
pub mod wins;
pub mod workbook;

pub use chart::are_few;
