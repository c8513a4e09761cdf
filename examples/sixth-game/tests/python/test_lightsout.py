"""Lights Out in Python."""

import gridwright as gw


def test_a_press_and_its_undo():
    game = gw.LightsOut.level("level01")
    assert game.board.sum() == 5
    game.play(1, 1)
    assert game.is_solved
    assert game.undo()
    assert game.legal_moves().shape == (9, 2)
