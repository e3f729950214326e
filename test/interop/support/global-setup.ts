import { installPythonTools } from './python-tools.js';

/** Before the files run: two of them would install the tools at the same time. */
export default async function setup(): Promise<void> {
  await installPythonTools();
}
