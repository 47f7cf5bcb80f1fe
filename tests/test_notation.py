import pytest

from vstg.commands.shared.command import strength
from vstg.notation import (
    SYMBOLS,
    counted,
    decimal_text,
    duration,
    flag_value,
    measure_text,
    number_text,
    power,
    rough_duration,
    setting_flags,
    setting_text,
)
from vstg.objective import Settings


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**-5, "2⁻⁵"),
        (1.0, "2⁰"),
        (8, "2³"),
        (0.3, "0.3"),
        (0.0, "0"),
        (2**-12, "2⁻¹²"),
    ],
)
def test_powers_of_two_are_written_as_powers(value, text):
    assert power(value) == text


def test_a_setting_is_written_in_the_symbols_of_the_paper():
    setting = {"gamma1": 3.0, "gamma2": 0.25, "k": 1, "n_latent": 5, "mu": None}
    assert setting_text(setting) == "K = 5, k = 1, γ₁ = 3, γ₂ = 2⁻²"
    assert setting_text({"gamma1": 0.0, "cut": 0.05, "relax": 0.0}) == (
        "γ₁ = 0, cut = 0.05, relax = 0"
    )


def test_every_setting_has_a_symbol():
    settings = Settings.checked(n_latent=2, k=1, gamma1=1.0, gamma2=1.0, cut=0.1)
    others = {"alpha"}  # of the pretrained LASSO
    assert {*vars(settings), *others} == set(SYMBOLS)


def test_flags_are_options_of_the_command_line():
    assert setting_flags({"n_latent": 5, "gamma1": 2**-4, "mu": None}) == (
        "--n-latent 5 --gamma1 2^-4"
    )


@pytest.mark.parametrize("value", [2**-10, 0.1, 1 / 3, 5.0, 1.0, 2**20, 1e-300, 0.0])
def test_the_command_line_reads_a_value_back_unchanged(value):
    assert strength(flag_value(value)) == value


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (1e-6, "1 ms"),
        (0.024, "24 ms"),
        (0.99999, "1.0 s"),
        (4.24, "4.2 s"),
        (9.96, "10 s"),
        (99, "99 s"),
        (99.7, "1 min 40 s"),
        (125, "2 min 05 s"),
        (9000, "2 h 30 min"),
    ],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_estimates_have_few_digits():
    times = [rough_duration(s) for s in (0.2, 4.4, 42, 600, 9000)]
    assert times == ["1 s", "4 s", "40 s", "10 min", "2 h"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.12345, "0.123"),
        (0.0054321, "0.00543"),
        (-2.5, "-2.5"),
        (12345.6, "12,346"),
        (float("nan"), "nan"),
        (123456, "1.23e+05"),
        (1e-5, "1.00e-05"),
    ],
)
def test_numbers_have_few_digits(value, text):
    assert number_text(value) == text


def test_numbers_of_a_sentence():
    assert decimal_text(-1.005, 1) == "−1.0"
    assert decimal_text(-0.0) == "0.00"
    assert measure_text("rmse_pooled") == "RMSE"
    assert measure_text("multiclass_error_rate") == "error rate"


def test_one_thing_is_not_plural():
    assert [counted(n, "run") for n in (0, 1, 2000)] == [
        "0 runs",
        "1 run",
        "2,000 runs",
    ]
