/** The allowed imports (docs/architecture.md, "Allowed imports"). */
const room = (name) => `^${name}/`;

/** Files of a room may import only what is listed: their own room and these. */
function only(from, allowed, comment) {
  return {
    name: `${from.replace(/\//g, '-')}-imports`,
    comment,
    severity: 'error',
    from: { path: room(from) },
    to: {
      path: '^(api|console|media|workflows|activities|runtime|domain|db|providers|tools|test)/',
      pathNot: [room(from), ...allowed],
    },
  };
}

/** The areas of the domain: each imports only itself and those before it. */
const areas = [
  'lib',
  'kernel',
  'channels',
  'events',
  'files',
  'chat-state',
  'calls',
  'records',
  'definitions',
  'assignments',
  'agent',
  'people',
  'identity',
  'conversations',
  'sites',
  'simulation',
  'person-data',
];

function onlyBelow(area, place) {
  return {
    name: `domain-${area}-imports`,
    comment: 'areas of the domain are in one order',
    severity: 'error',
    from: { path: room(`domain/${area}`) },
    to: { path: `^domain/(${areas.slice(place + 1).join('|')})/` },
  };
}

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'no file imports itself through others, not even a type',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...areas.slice(0, -1).map(onlyBelow),
    {
      name: 'domain-areas',
      comment: 'every file of the domain is in an area',
      severity: 'error',
      from: { path: `^domain/(?!(${areas.join('|')})/)` },
      to: {},
    },
    only(
      'api/resources',
      [
        '^api/(http|auth)/',
        // A page that the contract has among the routes.
        '^api/html/account/(page|texts/\\w+)\\.ts$',
        '^domain/',
        '^db/(agent|assignments|calls|channels|conversations|definitions|events|files|identity|lib|live|people|person-data|records|sites)/',
        '^workflows/contracts/',
        '^runtime/runs-client\\.ts$',
      ],
      'routes parse, call one command, present',
    ),
    only(
      'api/http',
      [
        '^api/(auth|resources)/',
        '^domain/',
        '^db/(database|tx|identity/models/\\w+)\\.ts$',
        '^runtime/(configuration|logger|runs-client|error-codes)\\.ts$',
      ],
      'Koa in one place',
    ),
    only(
      'api/oauth',
      ['^api/(http|html/account)/', '^domain/', '^db/identity/', '^providers/public-fetch/'],
      'the authorization server',
    ),
    only(
      'api/html/account',
      ['^api/(console|http|auth|oauth)/', '^domain/', '^db/identity/', '^db/lib/'],
      'what people see in a browser',
    ),
    only(
      'api/html/sites',
      ['^api/(http|auth|widget)/', '^domain/', '^db/sites/models/'],
      'what visitors of sites see in a browser',
    ),
    only('api/console', ['^api/(http|auth)/'], 'the files of the console'),
    only('api/widget', ['^api/http/', '^domain/lib/markdown/'], 'the chat that pages show'),
    only('api/mcp', ['^api/(http|auth|resources)/', '^domain/'], 'the tools of AI clients'),
    only(
      'media',
      [
        '^workflows/contracts/',
        '^domain/',
        '^db/',
        '^providers/',
        '^runtime/(?!main|worker|relay|replay|temporal)',
      ],
      'the sockets of calls',
    ),
    only('api/auth', ['^api/http/', '^domain/', '^db/'], 'who is calling'),
    // The activities' types: their code cannot be bundled into a workflow, so the build fails on anything more.
    only('workflows', ['^activities/index\\.ts$'], 'deterministic code only'),
    {
      name: 'workflows-packages',
      severity: 'error',
      from: { path: room('workflows') },
      to: { path: 'node_modules', pathNot: 'node_modules/@temporalio/(workflow|common)/' },
    },
    only('activities', ['^workflows/contracts/', '^domain/', '^db/', '^providers/'], 'never api'),
    only(
      'domain',
      ['^db/', '^workflows/contracts/(commands|runs|steps)\\.ts$'],
      'knows no transport, no Temporal, no provider',
    ),
    {
      name: 'domain-packages',
      severity: 'error',
      from: { path: room('domain') },
      to: { path: 'node_modules/(koa|@koa|koa-body|@temporalio|twilio|openai|ws|objection|knex|pg)/' },
    },
    only(
      'db',
      [
        '^domain/(lib/admission|lib/paging|records/field-values|definitions/task-tree/task-types)\\.ts$',
        '^workflows/contracts/runs\\.ts$',
      ],
      'nothing of ours but pure types, and what bounds the use of connections',
    ),
    only('providers', ['^domain/lib/parse-url\\.ts$'], 'libraries, and one pure function'),
    only('tools/simulators', [], 'programs in their own right'),
    only('docs', [], 'examples for others, who have nothing of ours'),
    only('clients', [], 'packages for others, who have nothing of ours'),
    only(
      'runtime',
      ['^workflows/contracts/', '^activities/', '^domain/', '^db/', '^providers/', '^api/'],
      'the engine room',
    ),
    {
      name: 'never-test-tools',
      severity: 'error',
      from: { pathNot: '^(test|tools)/' },
      to: { path: '^(test|tools)/' },
    },
    {
      name: 'never-docs',
      severity: 'error',
      from: { pathNot: '^(docs|test)/' },
      to: { path: '^docs/' },
    },
    {
      name: 'never-clients',
      severity: 'error',
      from: { pathNot: '^(clients|test)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'never-bench',
      severity: 'error',
      from: { pathNot: '^(tools/bench|test/tools/bench)/' },
      to: { path: '^tools/bench/' },
    },
    {
      name: 'objection-stays-in-db',
      severity: 'error',
      from: { pathNot: '^(db|test)/' },
      to: { path: 'node_modules/(objection|knex)/' },
    },
    {
      name: 'koa-stays-in-http',
      severity: 'error',
      from: {
        pathNot:
          '^(api/(console|html|http|mcp|oauth|widget|main\\.ts|parts\\.ts)|tools/(bench|simulators)|test)',
      },
      to: { path: 'node_modules/(koa|@koa|koa-body|@types/koa)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
