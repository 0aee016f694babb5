from pi_app.core.verdict import Reason
from pi_app.judging.letters import with_words
from pi_app.vision.letters import LettersReading


def test_a_reading_that_a_word_fits_stays() -> None:
    reading = LettersReading("SVR", "green", 0.99, None, "", ("SVP",))
    assert with_words(reading, {"SVR"}.__contains__) is reading


def test_a_sure_reading_that_no_word_fits_is_asked_about() -> None:
    reading = with_words(LettersReading("WNDM", "red", 0.99, None, "", ("WNDW",)), {"WNDW"}.__contains__)
    assert (reading.letters, reading.reason) == ("", Reason.DOUBTFUL)
    assert reading.why == "no word fits WNDM: is it WNDW?"


def test_of_doubtful_readings_the_only_one_with_a_word_is_taken() -> None:
    doubtful = LettersReading("", "red", 0.7, Reason.DOUBTFUL, "", ("WNDM", "WNDW"))
    assert with_words(doubtful, {"WNDW"}.__contains__).letters == "WNDW"
    assert with_words(doubtful, {"WNDW", "WNDM"}.__contains__).reason is Reason.DOUBTFUL
    assert with_words(doubtful, set[str]().__contains__).reason is Reason.DOUBTFUL


def test_words_read_no_card_that_was_not_seen() -> None:
    hidden = LettersReading("", "red", 0.9, Reason.HIDDEN, "", ("SVR",))
    assert with_words(hidden, {"SVR"}.__contains__) is hidden
