"""What the lessons that ask first claim, checked where it can be checked otherwise."""

import numpy as np
import pytest

from vstg.lessons import arrival, forms, resampling, two_jobs


def test_all_forms_have_one_product_and_only_the_mixed_has_no_zeros():
    found = forms.forms(2, 0)
    W = found["fitted"].W
    for form in found.values():
        np.testing.assert_allclose(form.U @ form.V, W, atol=1e-12)
    kept = W.any(axis=1)
    for form in found.values():
        np.testing.assert_array_equal(form.U.any(axis=1), kept)
    assert found["mixed"].U[kept].all()
    assert found["mixed"].V.all()
    assert found["fitted"].n_nonzero == min(f.n_nonzero for f in found.values())
    assert not np.allclose(found["tasks"].U, found["variables"].U)


def test_the_strength_that_chooses_is_not_the_one_that_predicts():
    found = two_jobs.two_jobs(1, 30, 0)
    fit, refit = found.errors["shrunken"], found.errors["refitted"]
    chooses = int(found.wrong["shrunken"].argmin())
    assert found.best("shrunken") < chooses
    assert fit[chooses] > 1.1 * fit.min()
    assert found.size[chooses] < 0.8
    assert found.wrong["refitted"][chooses] == 0
    assert refit[chooses] == refit.min() < fit.min()


def test_few_rows_select_by_chance_and_many_do_not():
    few, many = (resampling.resampling(1, n, 0) for n in (16, 40))
    np.testing.assert_array_equal(few.whole, few.relevant)  # as the lesson says
    assert few.among(1.0, 1.0) < few.whole.sum() / 2
    assert many.among(1.0, 1.0) == many.whole.sum()
    assert set(np.unique(few.share(1))) <= {0.0, 1.0}
    assert few.share(4) == pytest.approx(few.selected[:4].sum(axis=0) / 4)


def test_known_bases_need_few_rows():
    found = arrival.arrival(1, 0)
    five = found.rows.index(5)
    errors = {name: values[five] for name, values in found.errors.items()}
    assert errors["bases"] < 1.2 < 2 < min(errors["alone"], errors["pooled"])
    assert found.errors["alone"][-1] > errors["bases"]
