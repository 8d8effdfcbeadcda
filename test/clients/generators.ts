/**
 * The generators in other languages that `make clients` tries. How each is installed and called,
 * and what twenty lines with its client look like, is in docs/client-programs.md, under a block
 * marked with its name: what is run here is what the page says.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fencesOf } from '../support/markdown.ts';
import type { Command } from './flow.ts';

/** What was tried, and with what result. */
export const PAGE = 'docs/clients.md';
export const PROGRAMS = 'docs/client-programs.md';

export interface Generator {
  /** As the page's blocks are marked, and the file of its flow is called. */
  name: string;
  /** Commands that have to be there, and what to install for them. */
  needs: Record<string, string>;
  /** Where the flow and the example of the page go, in the generator's folder. */
  flow: string;
  example: string;
  /** One shell line. It holds what is generated and what uses it against their types. */
  compile: string;
  /** The shell line that runs one of the two programs. */
  run(file: string): string;
}

const PYTHON = { python3: 'Python 3.11 or newer, with venv' };
const GO = { go: 'Go 1.24 or newer' };
const JAVA = { ...PYTHON, java: 'a JDK, 17 or newer', mvn: 'Maven' };
const TYPED_PYTHON = 'mypy --strict --follow-imports=silent flow.py example.py';
const JARS = 'gatehouse/target/classes:gatehouse/target/dependency/*';

export const GENERATORS: Generator[] = [
  {
    name: 'openapi-python-client', needs: PYTHON, flow: 'flow.py', example: 'example.py',
    compile: TYPED_PYTHON, run: (file) => `python ${file}`,
  },
  {
    name: 'datamodel-code-generator', needs: PYTHON, flow: 'flow.py', example: 'example.py',
    compile: TYPED_PYTHON, run: (file) => `python ${file}`,
  },
  {
    name: 'oapi-codegen', needs: GO, flow: 'flow/main.go', example: 'example/main.go',
    compile: 'go mod tidy && go vet ./... && mkdir -p out && go build -o out ./...',
    run: (file) => `out/${file.split('/')[0]}`,
  },
  {
    name: 'openapi-generator', needs: JAVA, flow: 'Flow.java', example: 'Example.java',
    compile: 'mvn -q -B -f gatehouse -Dmaven.test.skip=true compile dependency:copy-dependencies'
      + ` && javac -Xlint:all,-processing -Werror -cp '${JARS}' -d out Flow.java Example.java`,
    run: (file) => `java -cp 'out:${JARS}' ${file.replace('.java', '')}`,
  },
];

/** The text of the page's block in a language that is marked with the generator's name. */
export function blockOf(name: string, language: string): string {
  const found = fencesOf(PROGRAMS).find((fence) => fence.language === language
    && fence.info.split(' ').at(-1) === name);
  if (!found) throw new Error(`${PROGRAMS} has no block \`\`\`${language} … ${name}`);
  return found.text;
}

/** What a generator needs and this machine has not, with what to install. */
export function missingFor({ needs }: Generator): string[] {
  const folders = (process.env.PATH ?? '').split(':');
  return Object.entries(needs)
    .filter(([command]) => !folders.some((folder) => existsSync(join(folder, command))))
    .map(([, remedy]) => remedy);
}

/** A shell line in a folder. */
export function shell(line: string, cwd: string): Command {
  return { command: 'bash', args: ['-euo', 'pipefail', '-c', line], cwd };
}
