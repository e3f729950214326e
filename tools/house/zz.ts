import { readSources } from './read-sources.js';
import { reachOf } from './graph.js';
const sources = readSources(process.cwd());
const served = new Map([...sources].filter(([p]) => !/^(test|docs|clients|tools)\/|^[^/]+$|^db\/migrations\//.test(p)));
const cut = process.argv.slice(2);
for (const [path, name] of [['domain/assignments/select-task.ts','selectTask'],['domain/conversations/chats/create-chat.ts','createChat'],['domain/conversations/chats/receive-sms.ts','receiveSms']] as const) {
  const without = new Map(served); for (const c of cut) without.delete(c);
  const r = reachOf({path, name}, without);
  console.log(name, r.size);
  if (name==='selectTask') console.log([...r].sort().filter(f=>f.startsWith('domain')||f.startsWith('db')).join('\n'));
}
