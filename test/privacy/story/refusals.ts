import type { TSchema } from 'typebox';
import type { Route } from '../../../api/http/route.js';
import { routes } from '../../../api/resources/index.js';
import { planted } from '../markers.js';
import { answered, type Stage } from '../stage.js';

/** Every route, asked in every wrong way: none may tell what was wrong by quoting it. */
export async function refuseEverywhere(stage: Stage): Promise<void> {
  for (const route of routes) {
    for (const wrong of wrongRequests(route, stage)) {
      const { path, method = route.method, ...init } = wrong;
      await stage.api.send(method, path, init);
    }
  }
}

interface WrongRequest {
  path: string;
  method?: string;
  body?: string;
  headers: Record<string, string>;
}

function wrongRequests(route: Route, { workspace }: Stage): WrongRequest[] {
  const word = planted('refused');
  const filled = (id: string) =>
    route.path.replace('{workspace_uuid}', workspace.workspaceUuid).replaceAll(/\{\w+\}/g, id);
  // What is there is only read.
  const some = filled(route.method === 'GET' ? '1' : '999999999');
  const authorization = { Authorization: `Bearer ${workspace.admin.apiKey}` };
  const json = { ...authorization, 'Content-Type': 'application/json' };
  const named = namesIn(route.query);
  const query = (value: string) =>
    new URLSearchParams(Object.fromEntries(named.map((name) => [name, value]))).toString();
  const requests: WrongRequest[] = [
    { path: `${filled(word)}?${query(word)}&${planted('unknownField')}=${word}`, headers: authorization },
    { path: `${filled('999999999')}?${query(word)}`, headers: authorization },
    { path: some.replace(workspace.workspaceUuid, word), headers: authorization },
    { path: some, headers: { Authorization: `Bearer wes_${word}` } },
    { path: some, headers: { Cookie: `__Host-wes_session=${word}`, Origin: `https://${word}.example` } },
    { path: some, method: 'PATCH', headers: authorization },
    { path: `/${word}${some}`, headers: authorization },
  ];
  // A search of what the workspace has; all else of the query is left alone.
  for (const name of named) {
    requests.push({ path: `${some}?${new URLSearchParams({ [name]: word })}`, headers: authorization });
  }
  if (route.body === undefined) return requests;
  const id = filled('999999999');
  const bodies = [
    Object.fromEntries(namesIn(route.body).map((name) => [name, word])),
    Object.fromEntries(namesIn(route.body).map((name) => [name, { [planted('unknownField')]: [word] }])),
    { [planted('unknownField')]: word },
    [word],
  ];
  return [
    ...requests,
    ...bodies.map((body) => ({ path: id, headers: json, body: JSON.stringify(body) })),
    { path: id, headers: json, body: `{"${word}": ${word}` },
    { path: id, headers: { ...json, 'Idempotency-Key': `${word} ${word}` }, body: '{}' },
    { path: id, headers: { ...json, 'X-Request-Id': `<${word}>` }, body: `"${word}"` },
    { path: id, headers: { ...authorization, 'Content-Type': `text/${word}` }, body: word },
    { path: id, headers: { ...json, 'Content-Encoding': word }, body: word },
    { path: id, headers: { ...json, 'X-Request-Id': `<${word}>` }, body: JSON.stringify({ __proto: word }) },
  ].filter(({ body }) => body !== undefined && route.method !== 'GET');
}

/** Fields of an object, or of each of several alternatives. */
function namesIn(schema: TSchema | undefined): string[] {
  const { properties = {}, anyOf = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>;
    anyOf?: TSchema[];
  };
  return [...Object.keys(properties), ...anyOf.flatMap(namesIn)];
}

/** The same asked twice, for something else with the same key, and with a name that is taken. */
export async function repeatAndCollide(stage: Stage): Promise<void> {
  const path = stage.workspace.path('/members');
  const { apiKey } = stage.workspace.admin;
  const headers = { 'Idempotency-Key': planted('idempotencyKey') };
  const post = (body: object) => stage.api.request('POST', path, { apiKey, headers, body });
  const name = planted('keyedName');
  answered(await post({ name }));
  const repeated = await post({ name });
  answered(repeated);
  if (repeated.body.name !== name) throw new Error('what was repeated is something else');
  answered(await post({ name: planted('keyedAgain') }), 422);

  const another = { apiKey, headers, body: { name: planted('workspaceName') } };
  for (let time = 1; time <= 2; time += 1) answered(await stage.api.request('POST', '/workspaces', another));

  const admin = stage.as();
  await admin('POST', '/chat-labels', { name: planted('chatLabelName') }, 400);
  await admin('POST', '/member-roles', { name: planted('roleName'), permissions: [] }, 400);
  await admin(
    'POST',
    '/phone-numbers',
    {
      number: planted('workspaceNumber'),
      name: planted('numberName'),
    },
    400,
  );
}
