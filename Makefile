# Everything runs on the Node of node_modules/.bin (24), whatever Node npm itself runs on.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
INSTALLED := node_modules/.package-lock.json

.PHONY: help start test verify generate mock contract bench torture corpus

help: ## Show this
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(INSTALLED): package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@touch $@

start: $(INSTALLED) ## Start the service on the embedded PostgreSQL with the offline model
	@exec ./bin/gatehouse serve

test: $(INSTALLED) ## Run all tests (FILES=test/… for some)
	@node scripts/test.ts $(FILES)

verify: $(INSTALLED) ## Regenerate and compare, lint the document, check the types
	@node scripts/verify.ts

generate: $(INSTALLED) ## Generate types, validators and tables from openapi.yaml
	@node scripts/generate.ts

mock: $(INSTALLED) ## Start the mock server for client teams (PORT=4010)
	@exec node scripts/mock.ts

contract: $(INSTALLED) ## Run the contract suite on the mock and on the real server
	@node scripts/test.ts 'test/contract/*.test.ts'

bench: $(INSTALLED) ## Measure, side by side, and print the ratios
	@node scripts/bench.ts

torture: $(INSTALLED) ## Kill, freeze and cut off real processes, and check every log (SEED=, ROUNDS=)
	@exec node scripts/torture.ts

corpus: $(INSTALLED) ## Import 2,639 real OpenAPI documents (fetches 45 MB once)
	@node scripts/corpus.ts $(ONLY)
