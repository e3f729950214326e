import { blocksIn, codeIn, type Page } from './markdown.js';

/**
 * Pages whose blocks run in this order on a system that `npm start` has started, each page in a shell of its own that
 * knows the variables of the tour. What changes how the workspace speaks to people comes last.
 */
export const pagesOfRequests = [
  'docs/desk.md',
  'docs/repeat.md',
  'docs/records.md',
  'docs/import-export.md',
  'docs/member-import-export.md',
  'docs/person-data.md',
  'docs/accounts.md',
  'docs/sites.md',
  'docs/site-crawl.md',
  'docs/running.md',
  'docs/alarms.md',
  'docs/email.md',
  'docs/voice.md',
  'docs/chats.md',
] as const;

const readmeTest = 'test/readme/readme.test.ts';

/** Commands that a test runs, or the check of each change: the file that does, and words of it. */
export const ranBy: readonly (readonly [command: RegExp, file: string, words: string])[] = [
  [/^npm ci$/, '.ci/run', 'npm ci'],
  [/^(npm test|npx vitest run)( -- [\w/]+| test\/[\w/.-]+( -u)?)?$/, '.ci/run', 'suite npm test'],
  [/^npm run build$/, '.ci/run', 'npm run --silent build'],
  [/^npm run check(:types|:imports)?$/, '.ci/run', 'npm run --silent check'],
  [/^npx biome check --write \.$/, 'package.json', 'biome check .'],
  [/^npm run test:unit$/, '.ci/run', 'test:unit'],
  [/^npm run test:api$/, 'package.json', '"test:api": "vitest run test/api"'],
  [/^npm run test:faults( -- test\/faults\/worker-killed\.test\.ts)?$/, '.ci/run', 'test:faults'],
  [/^npm run test:interop$/, '.ci/run', 'test:interop'],
  [/^npm run storm( -- [\w -]+)?$/, 'test/faults/storm/storm.test.ts', 'npm run storm'],
  [/^\.ci\/run$/, '.ci/run', 'passed'],
  [/^npm start( -- --fresh)?$/, 'test/readme/started-system.ts', "'npm', ['start'"],
  [/^npm run (api|worker|media)$/, 'test/readme/started-system.ts', "'npm', ['start'"],
  [
    /^(MALLOC_ARENA_MAX=2 )?node --\S+ (--\S+ )*dist\/(api|runtime|media)\/main\.js$/,
    'test/runtime/node-args.test.ts',
    'running.md',
  ],
  [/^npm run dev$/, 'test/tools/dev/launcher/rebuild-on-change.test.ts', 'rebuild'],
  [/^npm run demo$/, readmeTest, "['run', 'demo']"],
  [/^npm run demo -- --handoff$/, readmeTest, "'--handoff'"],
  [/^npm run demo -- --channel web-chat$/, readmeTest, "'--channel', 'web-chat'"],
  [/^npm run demo -- --channel voice$/, readmeTest, "'--channel', 'voice'"],
  [/^npm run demo -- --channel email$/, readmeTest, "'--channel', 'email'"],
  [/^npm run demo -- --mcp$/, readmeTest, "'--mcp'"],
  [/^npm run chat( -- "Clinic intake")?$/, readmeTest, "npm run chat -- 'Clinic intake'"],
  [/^npm run desk$/, readmeTest, 'npm run --silent desk'],
  [/^npm run openapi$/, readmeTest, "['run', '--silent', 'openapi']"],
  [/^npm run play( -- docs\/example-workflows(\/after-the-visit\.yaml)?)?$/, readmeTest, "'play', '--'"],
  [/^npm run house$/, 'test/tools/house/house.test.ts', 'house'],
  [/^npm run docs$/, 'test/docs/generated.test.ts', 'withGeneratedParts'],
  [/^npm run clients$/, 'test/interop/clients/generated.interop.ts', 'npm run clients'],
  [/^npm run sbom$/, 'test/tools/dev/packages/package-faults.test.ts', "'sbom'"],
  [
    /^npm run (db:migrate|db:rollback( -- --all)?)$|^node dist\/db\/migrate\.js provision$/,
    'test/db/migrate.test.ts',
    'rollback',
  ],
  [
    /^npm run db:reencrypt$|^node dist\/runtime\/re-encrypt\.js$/,
    'test/db/encryption/re-encrypt.test.ts',
    'reEncrypt(',
  ],
  [
    /^npm run replay:open$|^node dist\/runtime\/replay\/main\.js$/,
    'test/runtime/replay/replay-open.test.ts',
    'replay/main.js',
  ],
  [/^npx @modelcontextprotocol\/inspector /, 'test/interop/mcp-first-connection.interop.ts', 'inspector'],
];

/** Commands that no test runs, and why. */
export const ranByNothing: readonly (readonly [command: RegExp, why: string])[] = [
  [
    /^npm run (bench|soak)( -- [\w. -]+)?$/,
    'It takes minutes to hours; its figures and options are tested alone.',
  ],
  [/^npm run test:attacks$/, 'It measures on a machine where nothing else runs.'],
  [/^npm run screenshots$/, 'It writes pictures, which differ in a pixel with each Chromium.'],
  [
    /^npx tsx test\/workflows\/(record|release)-histories\.ts\b/,
    'It writes histories, which are then never changed.',
  ],
  [
    /^node dist\/runtime\/prepare-temporal\.js$/,
    'It prepares a Temporal server of one’s own, as docker-compose.yml has it.',
  ],
  [
    /^docker compose /,
    'It builds images; its files are looked for, and its programs run without a container.',
  ],
  [/^export STORAGE_S3_/, 'As docker compose, which it is for.'],
  [/^aws s3 sync /, 'It needs a program and a bucket of a provider.'],
  [/^claude mcp add /, 'It needs an account; what it begins is done with three other clients.'],
];

const program = /^(?:npm|npx|node|docker|temporal|aws|claude|curl|\.ci\/run)\b/;

/** The commands of a block, without comments, each in one line. */
export function linesOf(block: string): string[] {
  const lines = block.replaceAll(/ *\\\n\s*/g, ' ').split('\n');
  return lines.map((line) => line.replace(/(^| +)#.*$/, '').trim()).filter((line) => line !== '');
}

/** The commands beside named blocks: what begins with the name of a program, and leaves nothing to be filled in. */
export function commandsBeside(page: Page): string[] {
  const blocks = ['', 'text'].flatMap((language) => blocksIn(page, language)).flatMap(linesOf);
  return [...codeIn(page), ...blocks.map((line) => line.replace(/ {2,}.*$/, ''))]
    .map((code) => code.replace(/ one file: .*$| <.*$/, ''))
    .filter((code) => program.test(code) && / |^\.ci/.test(code) && !/[{…]/.test(code));
}

/** What cron sends, as a shell would be given it. */
export function sentByCron(page: Page): string[] {
  const lines = blocksIn(page, 'text').flatMap(linesOf);
  const commands = lines.flatMap((line) => /^(?:[\d*]+ ){5} *(curl .*)$/.exec(line)?.[1] ?? []);
  return commands.map((command) => command.replaceAll('\\%', '%'));
}

/** What needs workers with versions: the help of the program is asked whether it knows these commands. */
export function isOfVersions(block: string): boolean {
  return /^temporal worker deployment|TemporalWorkerDeploymentVersion/.test(block);
}
