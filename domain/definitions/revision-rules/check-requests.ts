import { abilityTypes } from '../../kernel/abilities.js';
import type { HttpRequestConfig } from '../../kernel/ability-configs.js';
import type { FieldError } from '../../lib/errors.js';
import { readUrlTemplate } from '../../lib/url-template.js';
import { toolsOfTasks } from '../task-tree/tools-of-tasks.js';
import type { Finding } from './findings.js';

/** Headers that the connection decides. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const namesOfTools = new Set<string>([...toolsOfTasks, ...abilityTypes]);

/** Why the requests of an ability cannot be saved, apart from their schema. Pointers begin at the configuration. */
export function checkRequests({ requests }: HttpRequestConfig): FieldError[] {
  return requests.flatMap((request, index) =>
    [
      ...checkName(request.name, requests.slice(0, index)),
      ...checkUrl(request),
      ...checkRequired(request),
      ...checkHeaders(request),
    ].map(({ pointer, message }) => ({ pointer: `/requests/${index}${pointer}`, message })),
  );
}

type Request = HttpRequestConfig['requests'][number];

function checkName(name: string, others: readonly Request[]): FieldError[] {
  const isTaken = namesOfTools.has(name) || others.some((other) => other.name === name);
  return isTaken ? [{ pointer: '/name', message: `another tool is called ${name}` }] : [];
}

function checkUrl({ method, url, parameters }: Request): FieldError[] {
  const template = readUrlTemplate(url);
  if (typeof template === 'string') return [{ pointer: '/url', message: template }];
  const fixed = method === 'GET' || method === 'DELETE' ? new URLSearchParams(template.query) : undefined;
  const twice = Object.keys(parameters?.properties ?? {}).find(
    (name) => !template.names.includes(name) && fixed?.has(name) === true,
  );
  // Many services take the last of two values.
  if (twice !== undefined) {
    const pointer = `/parameters/properties/${twice}`;
    return [{ pointer, message: 'is in the query of the address already' }];
  }
  return template.names.flatMap((name) => {
    if (parameters?.properties[name] === undefined) {
      return [{ pointer: '/url', message: `names {${name}}, which is not among the parameters` }];
    }
    return parameters.required?.includes(name) === true
      ? []
      : [{ pointer: '/url', message: `names {${name}}, which the parameters do not require` }];
  });
}

function checkRequired({ parameters }: Request): FieldError[] {
  return (parameters?.required ?? []).flatMap((name, index) =>
    parameters?.properties[name] === undefined
      ? [{ pointer: `/parameters/required/${index}`, message: `there is no parameter ${name}` }]
      : [],
  );
}

function checkHeaders({ headers = [] }: Request): FieldError[] {
  return headers.flatMap(({ name, value, secret, prefix }, index) => {
    const pointer = `/headers/${index}`;
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower)) return [{ pointer: `${pointer}/name`, message: 'is set by the service' }];
    if (headers.slice(0, index).some((other) => other.name.toLowerCase() === lower)) {
      return [{ pointer: `${pointer}/name`, message: 'is given twice' }];
    }
    if ((value === undefined) === (secret === undefined)) {
      return [{ pointer, message: 'needs either a value or a secret' }];
    }
    return prefix !== undefined && secret === undefined
      ? [{ pointer: `${pointer}/prefix`, message: 'is for secrets only' }]
      : [];
  });
}

/** What the workspace has for requests. */
export interface RequestTerms {
  /** The hosts that it allows. */
  hosts: readonly string[];
  secrets: readonly { name: string; hosts: readonly string[] }[];
}

/** Warns of what a request lacks: it can still be added. */
export function checkRequestTerms({ requests }: HttpRequestConfig, terms: RequestTerms): Finding[] {
  return requests.flatMap(({ url, headers = [] }, index) => {
    const template = readUrlTemplate(url);
    if (typeof template === 'string') return [];
    const { host } = template;
    const pointer = `/requests/${index}`;
    const missing = headers.flatMap(({ secret }, place): Finding[] => {
      if (secret === undefined) return [];
      const found = terms.secrets.find(({ name }) => name === secret);
      if (found?.hosts.includes(host) === true) return [];
      const problem =
        found === undefined ? `there is no secret ${secret}` : `the secret ${secret} is not for ${host}`;
      return [{ pointer: `${pointer}/headers/${place}/secret`, message: problem, code: 'unknown_secret' }];
    });
    if (terms.hosts.includes(host)) return missing;
    const message = `the workspace does not allow requests to ${host}`;
    return [{ pointer: `${pointer}/url`, message, code: 'host_not_allowed' }, ...missing];
  });
}
