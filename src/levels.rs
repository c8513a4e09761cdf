//! The packaged levels, embedded at build time from `levels/<game>/<name>.txt`.

use include_dir::{Dir, include_dir};

static LEVELS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/levels");

/// Returns the names of the packaged levels of a game in alphabetical order; the list is empty for an unknown game.
pub fn names(game: &str) -> Vec<&'static str> {
    let mut names: Vec<&str> = LEVELS
        .get_dir(game)
        .into_iter()
        .flat_map(Dir::files)
        .filter(|file| file.path().extension().is_some_and(|end| end == "txt"))
        .filter_map(|file| file.path().file_stem()?.to_str())
        .collect();
    names.sort_unstable();
    names
}

/// Returns the text of a packaged level, or `None` for an unknown game or name.
pub fn text(game: &str, name: &str) -> Option<&'static str> {
    LEVELS
        .get_dir(game)?
        .files()
        .find(|file| {
            file.path().extension().is_some_and(|end| end == "txt")
                && file.path().file_stem().is_some_and(|stem| stem == name)
        })?
        .contents_utf8()
}
