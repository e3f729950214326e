import type { KeyboardEvent } from 'react';

/** Whether a key in a text field sends the text: Enter without Shift. */
export function submitsText({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  // An input method uses Enter to finish a word; Safari ends the composition before it tells of the key (229).
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing && nativeEvent.keyCode !== 229;
}
