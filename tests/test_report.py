"""Reports: the same results give the same text, with n, judge and categories in their places.

A change of the wording is looked at, then `UPDATE_GOLDEN=1 pytest tests/test_report.py` writes it
down.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memflow.cli import main
from memflow.errors import MissingExtra, UsageError
from memflow.evals.cases import Case
from memflow.evals.figures import draw
from memflow.evals.publish import publish
from memflow.evals.report import report
from memflow.evals.results import Folder, Line, Verdict, digest
from memflow.evals.study import Study, read_study
from memflow.evals.summary import read_run, summarise

GOLDEN = Path(__file__).parent / "fixtures" / "report.md"
SECRET = "Rex the dog sleeps under the piano"
CATEGORIES = {
    "locomo": ("1 multi-hop", "4 single-hop", "5 adversarial"),
    "longmemeval": ("multi-session", "temporal-reasoning"),
}
ROUTED = ("rules", "examples", "model")


def a_run(
    folder: Path,
    kind: str,
    systems: dict[str, str],
    *,
    model: str = "small-1b",
    judges: Sequence[str] = ("judge-3b",),
    seed: int = 0,
    fillers: int | None = None,
) -> Path:
    """Answers written by hand: of each system a string with a letter for each question, R right,
    W wrong, A abstained, F failed, and E for right after escalation."""
    n = len(next(iter(systems.values())))
    kept = Folder(folder)
    cases = [
        Case(
            id=f"{kind}:{index}",
            group="h",
            question=f"Question {index}? {SECRET}",
            gold=f"gold {index}",
            category=(category := CATEGORIES[kind][index % len(CATEGORIES[kind])]),
            gold_turns=(f"t{index}",),
            answerable=not category.startswith("5"),
        )
        for index in range(n)
    ]
    kept.write_cases(cases)
    kept.write_header(
        {
            "configuration": {
                "set": kind,
                "data": f"{kind} (hand-written)",
                "categories": sorted({case.category for case in cases}),
                "questions": n,
                "of": n if kind == "locomo" else 500,
                "haystacks": 1,
                "turns": 40,
                "fillers": fillers,
                "fingerprint": "0",
                "limit": n,
                "seed": seed,
                "packed_budget": 0,
                "model": {"name": model, "window": 4096, "sha256": "ab" * 32},
                "encoder": "hash|1",
                "settings": {"tool_rounds": 1},
            },
            "systems": list(systems),
            "revisions": ["0.1.0+abc"],
            "runs": [
                {
                    "revision": "0.1.0+abc",
                    "batch": 1,
                    "machine": {
                        "cores": 2,
                        "system": "Linux",
                        "architecture": "x86_64",
                        "python": "3.11",
                    },
                }
            ],
            "notes": [{"what": "dates mended", "count": 3}],
        }
    )
    lines = [
        _line(case, system, letters[index], index)
        for index, case in enumerate(cases)
        for system, letters in systems.items()
    ]
    _write(kept.answers, [line.as_json() for line in lines])
    for judge in judges:
        verdicts = [_verdict(line, judge, systems[line.system]) for line in lines]
        _write(kept.verdicts(judge), [verdict.as_json() for verdict in verdicts])
    return folder


def _line(case: Case, system: str, letter: str, index: int) -> Line:
    product = system.startswith("memflow")
    escalated = letter == "E"
    tokens = {
        "route": 400 if product and index % 3 == 2 else 0,
        "answer": 500 + 10 * index,
        "check": 300 if product else 0,
        "retry": 600 if escalated else 0,
    }
    spent = sum(tokens.values())
    failed = letter == "F"
    calls = sum(1 for value in tokens.values() if value)
    return Line(
        id=case.id,
        group=case.group,
        category=case.category,
        system=system,
        question=case.question,
        gold=case.gold,
        answerable=case.answerable,
        answer="" if failed else f"{letter} {case.gold}",
        abstained=letter == "A",
        reason=SECRET,
        intent="targeted-extraction" if product else "",
        layer=ROUTED[index % 3] if product else "",
        escalated=escalated,
        covered=dict.fromkeys(case.gold_turns, index % 2 == 0),
        packed_tokens=200 + 20 * index,
        tokens=tokens,
        prompt_tokens=spent - 10,
        completion_tokens=10,
        model_calls=calls,
        calls=({"purpose": "answer", "prompt_tokens": 5, "reply": SECRET},),
        milliseconds=1_500.0,
        wall_ms=1_500.0,
        error=f"WindowExceeded: {SECRET}" if failed else None,
        revision="0.1.0+abc",
    )


def _verdict(line: Line, judge: str, letters: str) -> Verdict:
    letter = letters[int(line.id.partition(":")[2])]
    right = letter in "RE" or (letter == "A" and not line.answerable)
    return Verdict(
        id=line.id,
        system=line.system,
        judge=judge,
        correct=right,
        by={"A": "abstained", "F": "failed", "W": "overlap"}.get(letter, "model"),
        answer=digest(line.answer),
    )


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Two sets and two models; of the first model also baselines and an ablation."""
    folders = [
        a_run(
            tmp_path / "locomo",
            "locomo",
            {
                "rag": "RWWRWWRWF",
                "direct-full": "WWWRWWWWW",
                "memflow": "RRAREAWRA",
                "memflow-no-router": "RWARWAWRW",
            },
        ),
        a_run(
            tmp_path / "lme",
            "longmemeval",
            {"rag": "RWRW", "memflow": "RERW", "memflow-no-router": "RWRW"},
            fillers=40,
        ),
        a_run(
            tmp_path / "other",
            "locomo",
            {"direct-full": "WWWWWWWRW", "memflow": "RWAWWAWRW"},
            model="other-2b",
            judges=("other-2b",),
        ),
    ]
    return read_study(folders)


def invoke(*args: str) -> Result:
    return CliRunner().invoke(main, ["eval", *args])


# --------------------------------------------------------------------------- the text


def test_the_report_is_as_written_down(study: Study) -> None:
    text = report(study, figures=["figures/tokens.svg"])

    if os.environ.get("UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(text, encoding="utf-8")
    assert GOLDEN.is_file(), "no golden report yet: UPDATE_GOLDEN=1 writes it"
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_accuracy_stands_with_its_judge_and_apart_from_recall(study: Study) -> None:
    blocks = report(study).split("\n\n")
    captioned = [
        (text, following.splitlines()[0])
        for text, following in itertools.pairwise(blocks)
        if text.startswith("**") and following.startswith("|")
    ]
    of_accuracy = [text for text, _ in captioned if "ccuracy, %" in text or "accuracy in %" in text]
    of_recall = [(text, head) for text, head in captioned if "recall" in text]

    assert len(of_accuracy) > 3
    for text in of_accuracy:
        assert "Judged by" in text
        assert "agreement with larger judges" in text
        assert "n = " in text
        assert "LoCoMo" not in text or "categories 1, 4, 5" in text
    assert of_recall
    assert all("accuracy" not in head for _, head in of_recall)


def test_what_is_not_judged_has_no_accuracy(tmp_path: Path) -> None:
    a_run(tmp_path / "a", "locomo", {"memflow": "RWA"}, judges=())
    text = report(read_study([tmp_path / "a"]))

    assert "Results:" not in text
    assert "Tokens by stage" in text
    assert "| none |" in text


def test_answers_the_judge_has_not_come_to_are_left_out_and_counted(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "a", "locomo", {"memflow": "RRRWWW"})
    path = Folder(folder).verdicts("judge-3b")
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:4]))

    figures = summarise(read_run(folder))["systems"]["memflow"]

    assert figures["n"] == 6
    assert figures["unjudged"] == 2
    assert figures["accuracy"] == 0.75
    assert "2 unjudged" in report(read_study([folder]))


# --------------------------------------------------------------------------- figures of a run


def test_figures_against_values_worked_out_by_hand(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "a", "locomo", {"rag": "RWWF", "memflow": "RRAE"})

    record = summarise(read_run(folder))

    product = record["systems"]["memflow"]
    assert product["accuracy"] == 1.0  # the third is unanswerable, and declined
    assert product["by_type"]["5 adversarial"]["accuracy"] == 1.0
    assert product["packed_tokens_mean"] == 230.0  # 200, 220, 240, 260
    assert product["tokens"] == {"route": 100.0, "answer": 515.0, "check": 300.0, "retry": 150.0}
    assert product["pipeline_tokens_mean"] == 1065.0
    assert product["stages"]["retry"] == {
        "share": 0.25,
        "tokens_mean": 600.0,
        "tokens_median": 600,
        "weight": round(600 / 4260, 4),
    }
    assert (product["abstained"], product["escalated"]) == (1, 1)
    # Evidence is over the three answerable questions: t0 is covered, t1 and t3 are not.
    assert (product["evidence_n"], product["evidence_any"]) == (3, 0.3333)
    assert product["wall_s"] == 6.0
    rag = record["systems"]["rag"]
    assert rag["errors"] == {"WindowExceeded": 1}
    assert rag["accuracy"] == 0.25
    [difference] = record["differences"]
    assert (difference["first_only"], difference["second_only"]) == (3, 0)
    assert difference["p"] == 0.25  # 2 · 1/8


def test_runs_of_the_same_questions_are_one_column(tmp_path: Path) -> None:
    a_run(tmp_path / "a", "locomo", {"rag": "RWW"})
    a_run(tmp_path / "b", "locomo", {"memflow": "RRA"})
    whole = read_study([tmp_path / "a", tmp_path / "b"])

    assert [each.systems for each in whole.measured] == [["rag", "memflow"]]
    a_run(tmp_path / "c", "locomo", {"memflow": "RRR"})
    with pytest.raises(UsageError, match="measured in"):
        read_study([tmp_path / "b", tmp_path / "c"])
    a_run(tmp_path / "d", "locomo", {"react": "RRR"}, judges=("another",))
    with pytest.raises(UsageError, match="different judges"):
        read_study([tmp_path / "b", tmp_path / "d"])


def test_samples_that_differ_are_told_apart(tmp_path: Path) -> None:
    a_run(tmp_path / "a", "locomo", {"rag": "RWW"})
    a_run(tmp_path / "b", "locomo", {"rag": "RWWW"}, seed=1)

    labels = [each.label for each in read_study([tmp_path / "a", tmp_path / "b"]).measured]

    assert sorted(labels) == ["LoCoMo (questions 3)", "LoCoMo (questions 4)"]


def test_of_several_judges_one_is_chosen(tmp_path: Path) -> None:
    folder = a_run(tmp_path / "a", "locomo", {"rag": "RWW"}, judges=("one", "overlap"))
    assert read_run(folder).judge == "one"
    assert read_run(folder, "overlap").judge == "overlap"
    assert read_run(folder, "none").judge == ""

    a_run(tmp_path / "b", "locomo", {"rag": "RWW"}, judges=("one", "two"))
    with pytest.raises(UsageError, match="one, two"):
        read_run(tmp_path / "b")
    with pytest.raises(UsageError, match="'three' has not judged"):
        read_run(tmp_path / "b", "three")


# --------------------------------------------------------------------------- published


def test_a_published_run_has_no_texts_and_the_same_report(tmp_path: Path, study: Study) -> None:
    folders = [run.path for run in study.runs]
    targets = [tmp_path / "public" / folder.name for folder in folders]
    for folder, target in zip(folders, targets, strict=True):
        publish(folder, target)

    for path in (tmp_path / "public").rglob("*.*"):
        assert SECRET not in path.read_text(encoding="utf-8")
        assert '"gold"' not in path.read_text(encoding="utf-8")
    assert report(read_study(targets)) == report(study)
    with pytest.raises(UsageError, match="in place"):
        publish(folders[0], folders[0])


def test_a_published_run_cannot_be_judged_again(tmp_path: Path) -> None:
    a_run(tmp_path / "a", "locomo", {"rag": "RWW"})
    assert invoke("publish", str(tmp_path / "a"), str(tmp_path / "b")).exit_code == 0

    result = invoke("judge-answers", str(tmp_path / "b"), "--judge", "overlap")

    assert result.exit_code == 2
    assert "no gold to judge by" in result.stderr


# --------------------------------------------------------------------------- pictures, commands


def test_pictures_are_the_same_for_the_same_results(tmp_path: Path, study: Study) -> None:
    pytest.importorskip("matplotlib")
    first = draw(study, tmp_path / "one")
    second = draw(study, tmp_path / "two")

    assert {path.name for path in first} == {
        "tokens-small-1b.svg",
        "tokens-other-2b.svg",
        "types-locomo-small-1b.svg",
        "types-longmemeval-among-fillers-small-1b.svg",
        "types-locomo-other-2b.svg",
    }
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert "memflow" in first[0].read_text()


def test_without_the_drawing_library_the_error_names_the_extra(
    tmp_path: Path, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match="'eval'"):
        draw(study, tmp_path / "figures")


def test_the_report_command(tmp_path: Path, study: Study) -> None:
    folders = [str(run.path) for run in study.runs]
    out = tmp_path / "docs" / "report.md"
    printed = invoke("report", *folders)
    written = invoke("report", str(tmp_path), "--out", str(out))
    record = json.loads(invoke("report", *folders, "--json").stdout)

    assert written.exit_code == 0
    assert out.read_text(encoding="utf-8") == report(study)
    assert printed.stdout.rstrip() == report(study).rstrip()
    assert len(record["runs"]) == 3
    assert record["report"] == report(study)
    absent = invoke("report", str(tmp_path / "nowhere"))
    assert absent.exit_code == 2
    assert "there is no run in" in absent.stderr


def test_the_report_links_its_pictures_from_where_it_lies(tmp_path: Path, study: Study) -> None:
    pytest.importorskip("matplotlib")
    folders = [str(run.path) for run in study.runs]
    out = tmp_path / "docs" / "report.md"
    figures = tmp_path / "pictures"

    assert invoke("report", *folders, "--out", str(out), "--figures", str(figures)).exit_code == 0

    links = [line for line in out.read_text().splitlines() if line.startswith("![")]
    assert len(links) == 5
    for link in links:
        path = link.partition("(")[2].rstrip(")")
        assert (out.parent / path).is_file()
