# Each target does its own set-up: the first run installs and fetches, later ones use no network.

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
TEST_TIMEOUT ?= 300
FUZZ_BUILD ?= build-fuzz
FUZZ_SECONDS ?= 60
COVERAGE_BUILD ?= build-coverage
ASAN_BUILD ?= build-asan
TSAN_BUILD ?= build-tsan

BOOTSTRAP := tools/bootstrap/bootstrap.sh
CPP_FILES := find apps bench examples include src tests tools -name '*.h' -print0 -o -name '*.cc' -print0
CTEST := ctest --test-dir $(BUILD) -j$(JOBS) --output-on-failure --timeout $(TEST_TIMEOUT)

# Installs Spark with its driver, and tells the tests where it is.
WITH_SPARK := $(BOOTSTRAP) --engines --spark >/dev/null && \
  python=$$(tests/engines/spark_python.sh) && \
  cmake -S . -B $(BUILD) --log-level=WARNING -DDPSQL_SPARK_PYTHON="$$python" >/dev/null

# What has no lines of ours to count, compiles the product anew, or does a million times what others
# do once.
NOT_COUNTED := ^(tidy|compile_fail/|package$$|coverage$$|layout$$)

.DEFAULT_GOAL := help
.PHONY: demo demo-page build test check reference bench bench-pages bench-quick audit mutants engines oracles fuzz coverage sanitize install clean format help configure configure-check

help:
	@sed -n 's/^## //p' Makefile

configure:
	@root=$$($(BOOTSTRAP) --print-duckdb-root) && \
	cmake -S . -B $(BUILD) -G Ninja --log-level=WARNING -DDUCKDB_ROOT="$$root" $(OPTIONS) >/dev/null

## make demo      a small shop database, a few questions, the budget left
demo: build
	@$(BUILD)/dpsql demo --yes

## make demo-page write docs/demo.txt anew
demo-page: build
	@python3 -B tests/docs/check_demo.py . $(BUILD) --update

## make build     build/dpsql and build/tests/dpsql-oracle
build: configure
	@cmake --build $(BUILD) -j$(JOBS)

## make test      all tests but the long ones; ENGINES=all starts the databases behind SQL as well,
##                and compiles the benchmarks
test: build
	@$(BOOTSTRAP) --test >/dev/null
ifeq ($(ENGINES),all)
	@$(WITH_SPARK)
	@cmake --build $(BUILD) -j$(JOBS) --target dpsql_server_tests dpsql_bench
	@$(CTEST) -LE audit
else
	@$(CTEST) -LE 'audit|servers'
	@echo "not run: the tests on a Spark server; they run with  make test ENGINES=all"
endif

## make check     format, limits and room order, clang-tidy
check: configure-check
	@$(CPP_FILES) | xargs -0 --no-run-if-empty clang-format --dry-run -Werror
	@python3 -B tools/tidy/tidy.py
	@python3 -B tools/tidy/clang_tidy.py --build $(BUILD) --jobs $(JOBS)

## make reference write what the program knows of itself into docs and completions/
reference: build
	@python3 -B tools/docs/reference.py . $(BUILD) --update
	@python3 -B tools/docs/commands.py . $(BUILD) --update
	@python3 -B tools/docs/plots.py . $(BUILD) --update

## make format    let clang-format rewrite the sources
format:
	@$(BOOTSTRAP) --check
	@$(CPP_FILES) | xargs -0 --no-run-if-empty clang-format -i

configure-check:
	@$(BOOTSTRAP) --check
	@$(MAKE) --no-print-directory configure

## make bench     the benchmarks, ours and the peers', into docs/results: hours, on a quiet machine; PARTS="speed start" for some
bench: configure
	@cmake --build $(BUILD) -j$(JOBS) --target dpsql_bench pld_epsilons dpsql dpsql-oracle
	@bench/all.sh $(BUILD) $(PARTS)

## make bench-pages  write tables and plots of docs/results, and README's figures, anew from recorded rows
bench-pages:
	@failed=0; for page in speed accuracy engines results; do \
	  python3 -B bench/$$page/page.py . --update || failed=1; done; exit $$failed

## make bench-quick  ours alone at scale 0.1, in less than five minutes; prints, and keeps nothing
bench-quick: configure
	@cmake --build $(BUILD) -j$(JOBS) --target speed accuracy figure2 duckdb-load
	@database=$$(bench/tpch/tpch.sh $(BUILD) 0.1) && folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	begin=$$(date +%s) && \
	$(BUILD)/bench/speed/speed "$$database" --repetitions 15 --seconds 5 && \
	for set in tpch frequency unknown; do echo "== $$set" && \
	  $(BUILD)/bench/speed/speed "$$database" --set $$set --repetitions 15 --seconds 2 || exit 1; done && \
	python3 -B bench/accuracy/record.py $(BUILD) "$$folder/accuracy.json" paper@0.1=25 session@0.1=10 \
	  unknown@0.1=10 round@0.1=10 frequency@0.1=5 skew=1 && \
	$(BUILD)/bench/figure2 && echo "== $$(($$(date +%s) - begin)) s in all, without build and data"

## make audit     the long attacks and one table of them; AUDIT="fuzz mutants" for some parts; ENGINES=all
audit: build
ifeq ($(ENGINES),all)
	@$(WITH_SPARK)
endif
	@cmake --build $(BUILD) -j$(JOBS) --target dpsql_audit
	@python3 -B tools/audit/audit.py . $(BUILD) $(JOBS) $(or $(AUDIT),$(filter all,$(ENGINES)))

## make mutants   seeded bugs, MUTANTS="name…" for some: which tests fail
mutants:
	@root=$$($(BOOTSTRAP) --print-duckdb-root) && \
	python3 -B tests/mutants/run.py . $(BUILD)/mutants --duckdb "$$root" $(MUTANTS)

## make engines   the SQL of the other dialects on the databases themselves, Spark among them
engines: build
	@$(BOOTSTRAP) --engines >/dev/null
	@python=$$(tests/engines/spark_python.sh) && \
	cmake -S . -B $(BUILD) --log-level=WARNING -DDPSQL_SPARK_PYTHON="$$python" >/dev/null
	@$(CTEST) --timeout 3600 -R '^engines/'

## make oracles   other people's programs that must agree with ours
oracles: build
	@$(BOOTSTRAP) --oracles >/dev/null
	@python=$$(tests/oracles/python.sh) && \
	cmake -S . -B $(BUILD) --log-level=WARNING -DDPSQL_ORACLE_PYTHON="$$python" >/dev/null
	@$(CTEST) --timeout 3600 -R '^oracles/'

## make fuzz      libFuzzer over all that comes from outside, FUZZ_SECONDS=60 of CPU time each
fuzz:
	@root=$$($(BOOTSTRAP) --fuzz --print-duckdb-root) && \
	cmake -S . -B $(FUZZ_BUILD) -G Ninja --log-level=WARNING -DDUCKDB_ROOT="$$root" \
	  -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DDPSQL_FUZZ=ON >/dev/null
	@cmake --build $(FUZZ_BUILD) -j$(JOBS) --target dpsql_fuzz
	@python3 -B tests/fuzz/run.py $(FUZZ_BUILD) $(FUZZ_SECONDS) --jobs $(JOBS)

## make coverage  which lines the tests run; fails where the rooms of the guarantee have too few
coverage:
	@$(MAKE) --no-print-directory configure BUILD=$(COVERAGE_BUILD) OPTIONS=-DDPSQL_COVERAGE=ON
	@cmake --build $(COVERAGE_BUILD) -j$(JOBS)
	@find $(COVERAGE_BUILD) -name '*.gcda' -delete
	@DPSQL_PATIENCE=20 ctest --test-dir $(COVERAGE_BUILD) -j$(JOBS) --output-on-failure \
	  --timeout 1200 -LE 'audit|servers' -E '$(NOT_COUNTED)'
	@python3 -B tools/coverage/coverage.py $(COVERAGE_BUILD) --page docs/results/coverage.md

## make sanitize  the tests with gcc's checks of memory and undefined behaviour, then of threads
sanitize:
	@$(MAKE) --no-print-directory configure BUILD=$(ASAN_BUILD) \
	  OPTIONS=-DDPSQL_SANITIZE=address,undefined
	@cmake --build $(ASAN_BUILD) -j$(JOBS)
	@$(MAKE) --no-print-directory configure BUILD=$(TSAN_BUILD) OPTIONS=-DDPSQL_SANITIZE=thread
	@cmake --build $(TSAN_BUILD) -j$(JOBS) --target dpsql_unit_tests
	@python3 -B tests/sanitize/run.py $(ASAN_BUILD) $(TSAN_BUILD) --jobs $(JOBS)

## make install   PREFIX=/usr/local, DESTDIR is honoured
install: build
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(abspath $(PREFIX))"

## make clean     remove the build directory; the download cache stays
clean:
	rm -rf $(BUILD)
