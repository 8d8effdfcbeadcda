# Everything runs on the Node of node_modules/.bin (24), whatever Node npm itself runs on.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
INSTALLED := node_modules/.package-lock.json
# Tests fetch nothing. What they read of the registry comes once, after an installation; without it
# they are skipped, and say so.
DOCUMENTS := node_modules/.cache/gatehouse/.asked

.PHONY: help start dashboard pictures test check verify generate schema mock contract readers clients bench torture corpus

help: ## Show this
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

# A registry that fails for a moment is asked again.
$(INSTALLED): package.json package-lock.json
	@for pause in 5 20 0; do \
		echo 'npm ci'; npm ci --no-audit --no-fund --loglevel=error --fetch-timeout=60000 && exit 0; \
		[ $$pause = 0 ] || { echo "npm ci failed; once more in $$pause s" >&2; sleep $$pause; }; \
	done; exit 1
	@touch $@

$(DOCUMENTS): $(INSTALLED)
	@mkdir -p $(@D)
	@node scripts/realDocuments.ts
	@touch $@

start: $(INSTALLED) ## Start the service on the embedded PostgreSQL with the offline model
	@node scripts/dashboard.ts
	@exec ./bin/gatehouse serve

dashboard: $(INSTALLED) ## Build the dashboard, if its sources changed
	@node scripts/dashboard.ts

pictures: $(INSTALLED) ## Take the pictures of the documentation anew
	@SCREENSHOTS=docs/pictures node scripts/test.ts test/dashboard/pictures.test.ts

test: $(DOCUMENTS) ## Run all tests (FILES=test/… for some)
	@node scripts/test.ts $(FILES)

check: $(INSTALLED) ## What to run after every edit: make verify, and the tests that start no process
	@node scripts/check.ts

verify: $(INSTALLED) ## Regenerate and compare, lint the document, check the types
	@node scripts/verify.ts

generate: $(INSTALLED) ## Generate types, validators and tables from openapi.yaml
	@node scripts/generate.ts

schema: $(INSTALLED) ## Write src/store/schema.sql, the schema of the database, to be read
	@node scripts/schema.ts

mock: $(INSTALLED) ## Start the mock for client teams (PORT=4010)
	@exec ./bin/gatehouse mock

contract: $(INSTALLED) ## Run the contract suite everywhere; on a service of yours with BASE_URL=, API_KEY=
ifdef BASE_URL
	@GATEHOUSE_API_KEY="$${API_KEY:-$$GATEHOUSE_API_KEY}" exec ./bin/gatehouse contract \
		--base-url '$(BASE_URL)' $(if $(ONLY),--only '$(ONLY)') $(if $(FORMAT),--format '$(FORMAT)')
else
	@node scripts/test.ts 'test/contract/*.test.ts'
endif

readers: $(INSTALLED) ## Read streams, and speak MCP, with packages of Python and Go too (fetches them)
	@FETCH_READERS=1 node scripts/test.ts test/readers/readers.test.ts test/mcp/python.test.ts

clients: $(INSTALLED) ## Try generated clients in Python, Go and Java (ONLY=oapi-codegen for one)
	@exec node scripts/clients.ts $(ONLY)

bench: $(INSTALLED) ## Measure, side by side, and print the ratios (ONLY=append for one)
	@node scripts/bench.ts $(ONLY)

torture: $(INSTALLED) ## Kill, freeze and cut off real processes, and check every log (SEED=, ROUNDS=)
	@exec node scripts/torture.ts

corpus: $(INSTALLED) ## Import 2,639 real OpenAPI documents (fetches 45 MB once)
	@node scripts/corpus.ts $(ONLY)
