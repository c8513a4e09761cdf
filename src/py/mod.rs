//! The Python extension `gridwright._core`. No other folder of this crate depends on Python.
//!
//! Each game has its own file, which calls [`game_class!`](game) and [`batch_class!`](batch) once each and defines what
//! only that game has.

mod array;
mod batch;
mod error;
mod exclusive;
mod game;
mod generator;
mod long;

mod bloxorz;
mod domination;
mod geese;
mod geese_fields;
mod graph;
mod lightemall;
mod lines;
mod photon;
mod records;
mod tracing;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::core::{Rng, Status, memory, pool};
use crate::levels;

/// Returns the packaged levels of a game: a dict that maps names to texts.
#[pyfunction]
fn packaged_levels<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for name in levels::names(game) {
        found.set_item(name, levels::text(game, name))?;
    }
    Ok(found)
}

/// Returns a dict that maps the name of each member of `gridwright.Status` to its number.
#[pyfunction]
fn statuses(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let found = PyDict::new(py);
    for (name, status) in Status::ALL {
        found.set_item(name, status as i8)?;
    }
    Ok(found)
}

/// Returns the first `n` 64-bit words that the random generator draws from stream number `stream` of a seed.
#[pyfunction]
fn random_words(seed: u64, stream: u64, n: usize) -> PyResult<Vec<u64>> {
    let mut rng = Rng::stream(seed, stream);
    Ok(memory::collected(n, (0..n).map(|_| rng.bits()), "random words")?)
}

/// Panics, so that tests can check which exception an internal error raises.
#[pyfunction]
fn _panic() {
    panic!("planted by a test")
}

/// Returns the number of threads that share large tasks.
#[pyfunction]
fn threads() -> usize {
    pool::threads()
}

/// The engines of gridwright. Users import the package `gridwright`.
#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use super::bloxorz::{BloxorzBatch, BloxorzCore, PyBlock, PyTerrain, bloxorz_codes};
    #[pymodule_export]
    use super::domination::{
        LinearDominationBatch, LinearDominationCore, PyLine, domination_codes, domination_read, domination_verdicts,
    };
    #[pymodule_export]
    use super::exclusive::{after_fork, before_fork};
    #[pymodule_export]
    use super::geese::{
        GeeseSpotterBatch, GeeseSpotterCore, geese_boards, geese_codes, geese_generate, geese_play_many,
        geese_probabilities,
    };
    #[pymodule_export]
    use super::geese_fields::{
        geese_clean_board, geese_compute_neighbours, geese_create_board, geese_hide_board, geese_is_game_won,
        geese_mark, geese_printed, geese_reveal, geese_spread_geese,
    };
    #[pymodule_export]
    use super::graph::{
        PyUnionFind, graph_boruvka, graph_diameter, graph_grid_edges, graph_grid_weights, graph_kruskal,
        graph_kruskal_steps, graph_prim, graph_random_tree, graph_search, union_find_from_parents,
    };
    #[pymodule_export]
    use super::lightemall::{
        LightEmAllBatch, LightEmAllCore, lightemall_blank, lightemall_codes, lightemall_from_wires,
        lightemall_generate, lightemall_generate_many, lightemall_tree,
    };
    #[pymodule_export]
    use super::lines::{
        lines_count, lines_coverage_into, lines_first_hit, lines_lengths_into, lines_list, lines_matrix_int32,
        lines_matrix_int64, lines_most_cells, lines_paint_float64, lines_paint_int32, lines_paint_uint8, lines_steps,
        lines_visible,
    };
    #[pymodule_export]
    use super::photon::{MyPhotonBatch, MyPhotonCore, photon_blank, photon_codes, photon_generate, photon_trace_many};
    #[pymodule_export]
    use super::records::{bloxorz_floor_census, domination_exact_margin, geese_wins, lightemall_unique_trees};
    #[pymodule_export]
    use super::tracing::{
        cell_counts, coverage_into, paint_float64, paint_int32, paint_uint8, trace, trace_many_into, trace_offsets,
        trace_steps, tracing_methods,
    };
    #[pymodule_export]
    use super::{_panic, packaged_levels, random_words, statuses, threads};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::error::rename_panics(module)?;
        // Loads numpy's C interface now: an interrupt during a later load would cause a panic.
        numpy::PyArray1::<u8>::zeros(module.py(), 0, false);
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
