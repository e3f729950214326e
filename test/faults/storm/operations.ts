/** How many members take part from the beginning. */
export const persons = 16;
/** How many of them write mails, so that each has several threads. */
export const mailers = 5;
/** How many numbers nobody knows write for the first time. */
export const strangers = 6;

/** Words that a member may say; the guided ones mean a choice of the walked definition. */
export const sayings = [
  'the open room',
  'the locked room',
  'the exit',
  'good morning',
  'what was that again',
] as const;

/** How a phone takes a call. */
export const takings = ['talks', 'leaves', 'is_busy', 'is_a_machine'] as const;

export const rooms = ['Hall', 'Open', 'Locked', 'Exit'] as const;

/** `chat` names a chat or an assignment, and `file` a file, by the operation that made it. */
export type Deed =
  | { kind: 'open_web_chat'; guided: boolean }
  | { kind: 'open_sms_chat'; guided: boolean }
  | { kind: 'open_email_chat' }
  | { kind: 'begin_assignment' }
  | { kind: 'email'; chat: number; says: string; times: 1 | 2; replies: boolean }
  | { kind: 'write'; chat: number; says: string }
  | { kind: 'take_over'; chat: number }
  | { kind: 'speak_as_assistant'; chat: number }
  | { kind: 'rate'; chat: number; rating: 0 | 1 }
  | { kind: 'summarize'; chat: number }
  | { kind: 'text'; says: string; times: 1 | 2 }
  | { kind: 'stop' }
  | { kind: 'start' }
  | { kind: 'pause'; chat: number }
  | { kind: 'resume'; chat: number }
  | { kind: 'select'; chat: number; room: (typeof rooms)[number] }
  | { kind: 'cancel'; chat: number }
  | { kind: 'call'; chat: number; taken: (typeof takings)[number] }
  | { kind: 'upload'; kilobytes: number }
  | { kind: 'upload_version'; file: number; kilobytes: number }
  | { kind: 'delete_file'; file: number }
  | { kind: 'describe_member' }
  | { kind: 'publish' }
  | { kind: 'publish_page'; isScheduled: boolean };

export type DeedKind = Deed['kind'];

/** Whoever has operations done one after the other: a member, a stranger, or the desk that keeps definitions and pages. */
export type Lane = `person-${number}` | `stranger-${number}` | 'desk';

export type Operation = Deed & {
  index: number;
  lane: Lane;
  /** How long people take before it, in milliseconds. */
  paceMs: number;
};

interface Made {
  index: number;
  web: boolean;
  byEmail: boolean;
  guided: boolean;
  /** Made without naming a chat: only its assignment is known to who asked. */
  assignmentOnly: boolean;
}

export const shares: Readonly<Record<DeedKind, number>> = {
  open_web_chat: 7,
  open_sms_chat: 8,
  open_email_chat: 4,
  begin_assignment: 5,
  email: 10,
  write: 14,
  take_over: 6,
  speak_as_assistant: 3,
  rate: 4,
  summarize: 3,
  text: 28,
  stop: 2,
  start: 3,
  pause: 4,
  resume: 5,
  select: 10,
  cancel: 3,
  call: 14,
  upload: 8,
  upload_version: 4,
  delete_file: 3,
  describe_member: 3,
  publish: 2,
  publish_page: 4,
};

/** A text of some sentences, one that takes a moment to arrive, or anything in between. */
const kilobytes = [1, 40, 300, 2_000] as const;

/** Draws operations that make sense in their order: nobody writes into a chat that is not open yet. */
export function drawOperations(count: number, random: () => number): Operation[] {
  const made = new Map<Lane, Made[]>();
  const files = new Map<Lane, number[]>();
  return Array.from({ length: count }, (_, index) => {
    const kind = pickShare(random);
    const lane = laneFor(kind, random);
    const known = made.get(lane) ?? [];
    const kept = files.get(lane) ?? [];
    const deed = draw(kind, lane, { known, kept }, random);
    if (deed.kind === 'upload') files.set(lane, [...kept, index]);
    if (deed.kind === 'delete_file')
      files.set(
        lane,
        kept.filter((file) => file !== deed.file),
      );
    const chat = madeBy(deed);
    if (chat !== undefined) made.set(lane, [...known, { index, ...chat }]);
    return { ...deed, index, lane, paceMs: Math.floor(random() * 120) };
  });
}

function madeBy(deed: Deed): Omit<Made, 'index'> | undefined {
  const { kind } = deed;
  const nothing = { web: false, byEmail: false, guided: false, assignmentOnly: false };
  if (kind === 'open_web_chat') return { ...nothing, web: true, guided: deed.guided };
  if (kind === 'open_sms_chat') return { ...nothing, guided: deed.guided };
  if (kind === 'open_email_chat') return { ...nothing, byEmail: true };
  return kind === 'begin_assignment' ? { ...nothing, guided: true, assignmentOnly: true } : undefined;
}

function laneFor(kind: DeedKind, random: () => number): Lane {
  if (kind === 'publish' || kind === 'publish_page') return 'desk';
  if (kind === 'email' || kind === 'open_email_chat') return `person-${Math.floor(random() * mailers)}`;
  if (kind === 'text' && random() < 0.15) return `stranger-${Math.floor(random() * strangers)}`;
  return `person-${Math.floor(random() * persons)}`;
}

interface OfLane {
  known: Made[];
  /** Files that were uploaded and not deleted. */
  kept: number[];
}

function draw(kind: DeedKind, lane: Lane, { known, kept }: OfLane, random: () => number): Deed {
  const says = pick(sayings, random);
  const chats = known.filter(({ assignmentOnly }) => !assignmentOnly);
  switch (kind) {
    case 'open_web_chat':
    case 'open_sms_chat':
      return { kind, guided: random() < 0.6 };
    case 'text':
      return { kind, says, times: random() < 0.3 ? 2 : 1 };
    case 'email': {
      const chat = pickLate(
        chats.filter(({ byEmail }) => byEmail),
        random,
      );
      if (chat === undefined) return { kind: 'open_email_chat' };
      return { kind, chat, says, times: random() < 0.3 ? 2 : 1, replies: random() < 0.7 };
    }
    case 'write': {
      const onWeb = chats.filter(({ web }) => web);
      const chat = pickLate(onWeb, random);
      return chat === undefined ? { kind: 'open_web_chat', guided: random() < 0.6 } : { kind, chat, says };
    }
    case 'take_over':
    case 'pause':
    case 'resume':
    case 'summarize': {
      const chat = pickLate(chats, random);
      return chat === undefined ? { kind: 'open_sms_chat', guided: true } : { kind, chat };
    }
    case 'call': {
      const chat = pickLate(chats, random);
      if (chat === undefined) return { kind: 'open_sms_chat', guided: true };
      return { kind, chat, taken: pick(takings, random) };
    }
    case 'rate': {
      const chat = pickLate(chats, random);
      if (chat === undefined) return { kind: 'open_web_chat', guided: true };
      return { kind, chat, rating: random() < 0.5 ? 0 : 1 };
    }
    case 'speak_as_assistant': {
      const chat = pickLate(
        chats.filter(({ guided }) => guided),
        random,
      );
      return chat === undefined ? { kind: 'open_sms_chat', guided: true } : { kind, chat };
    }
    case 'select':
    case 'cancel': {
      const walks = known.filter(({ guided }) => guided);
      const chat = pickLate(walks, random);
      if (chat === undefined) return { kind: 'begin_assignment' };
      return kind === 'cancel' ? { kind, chat } : { kind, chat, room: pick(rooms, random) };
    }
    case 'publish_page':
      return { kind, isScheduled: random() < 0.5 };
    case 'upload':
      return { kind, kilobytes: pick(kilobytes, random) };
    case 'upload_version':
    case 'delete_file': {
      const size = pick(kilobytes, random);
      if (kept.length === 0) return { kind: 'upload', kilobytes: size };
      const file = pick(kept, random);
      return kind === 'delete_file' ? { kind, file } : { kind, file, kilobytes: size };
    }
    default:
      return lane.startsWith('stranger') ? { kind: 'text', says, times: 1 } : { kind };
  }
}

function pickShare(random: () => number): DeedKind {
  const kinds = Object.keys(shares) as DeedKind[];
  let left = random() * kinds.reduce((sum, kind) => sum + shares[kind], 0);
  for (const kind of kinds) {
    left -= shares[kind];
    if (left < 0) return kind;
  }
  return 'text';
}

/** One of the last few: what is talked about now is mostly recent. */
function pickLate(made: Made[], random: () => number): number | undefined {
  return made.length === 0 ? undefined : pick(made.slice(-3), random).index;
}

export function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}
