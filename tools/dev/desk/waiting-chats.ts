import type { ApiClient } from '../demo/api-client.js';

/** A chat at the desk, with what a colleague needs to know of it. */
export interface WaitingChat {
  id: number;
  channel: string;
  assignmentId: number | null;
  participants: { name: string | null; role: string }[];
  needsResponse: boolean;
  needsResponseReason?: string;
  needsResponseText?: string;
  lastMessage?: { text: string };
}

export interface DeskLists {
  waiting: WaitingChat[];
  /** Those that colleagues have claimed, and those that they have answered and not given back. */
  taken: WaitingChat[];
}

export interface TimelineNow {
  task: { name: string };
  state: string;
}

/** The chats that wait for a person and that nobody has claimed or snoozed; the one that has waited longest first. */
export function listWaitingChats(colleague: ApiClient): Promise<WaitingChat[]> {
  return itemsOf(colleague, '/chats/needs-response?pageSize=20');
}

export async function listDeskChats(colleague: ApiClient): Promise<DeskLists> {
  const [waiting, claimed, answered] = await Promise.all([
    listWaitingChats(colleague),
    itemsOf(colleague, '/chats/needs-response?state=claimed&pageSize=20'),
    itemsOf(colleague, '/chats?paused=true&needsResponse=false&archived=false&pageSize=20'),
  ]);
  return { waiting, taken: [...claimed, ...answered] };
}

async function itemsOf(colleague: ApiClient, path: string): Promise<WaitingChat[]> {
  return (await colleague<{ items: WaitingChat[] }>('GET', path)).items;
}

/** Where the workflow of the chat stands; undefined if the chat has none. */
export async function whereItStands(
  colleague: ApiClient,
  { assignmentId }: WaitingChat,
): Promise<TimelineNow | undefined> {
  if (assignmentId === null) return undefined;
  const { now } = await colleague<{ now?: TimelineNow }>(
    'GET',
    `/assignments/${assignmentId}/timeline?sortOrder=desc&limit=1`,
  );
  return now;
}

/** The chat is the caller's for half an hour. */
export async function claim(colleague: ApiClient, chatId: number): Promise<void> {
  await colleague('POST', `/chats/${chatId}/claim`, {});
}

/** Writes to the member. While the agent could speak, the chat is paused by that. */
export async function answer(colleague: ApiClient, chatId: number, message: string): Promise<void> {
  await colleague('POST', `/chats/${chatId}/send-assistant-message`, { message });
}

/** The agent goes on. */
export async function giveBack(colleague: ApiClient, chatId: number): Promise<void> {
  await colleague('PUT', `/chats/${chatId}`, { paused: false });
}
