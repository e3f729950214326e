import { defineTool } from '../define-tool.js';
import { routeOf } from '../route-of.js';
import { reads } from './annotations.js';

const list = defineTool({
  name: 'list_event_rules',
  title: 'List event rules',
  description:
    'Lists the rules by which the workspace tells other systems of events by webhook: event type, address, and whether each is enabled. Use it to see who is told of what. Rules are made and changed by people, with the API.',
  route: routeOf('listEventRules'),
  annotations: reads,
  untrusted: true,
});

export const eventTools = [list];
