//! Stats as JSON and pages.

pub(crate) mod admin;
pub(crate) mod chart;
pub(crate) mod headlines;
pub(crate) mod links;
pub(crate) mod rest;
pub(crate) mod sheet;
pub(crate) mod show;
pub(crate) mod tables;
pub(crate) mod tabs;
pub(crate) mod wins;
pub(crate) mod workbook;

pub(crate) use chart::are_few;
