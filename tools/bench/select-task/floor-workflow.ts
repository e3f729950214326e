import { condition, defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';

type Place = { workspaceId: number; chatId: number };

const { enter } = proxyLocalActivities<{ enter(place: Place): Promise<string> }>({
  startToCloseTimeout: '3s',
});

export async function floor(place: Place): Promise<void> {
  setHandler(defineUpdate<string>('select'), () => enter(place));
  await condition(() => false);
}
