//! Lights Out in Python: the shared class.

use super::game::{Spoken, game_class};
use crate::lightsout::LightsOut as Engine;

game_class!(LightsOutCore, Engine, "LightsOut");
super::batch::batch_class!(LightsOutBatch, Engine, LightsOutCore);

impl Spoken for Engine {}
