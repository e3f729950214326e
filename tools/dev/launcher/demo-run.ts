import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const markFile = (dataFolder: string) => join(dataFolder, 'demo-shown');

/** Whether the demo was already shown with this data folder. */
export const demoWasShown = (dataFolder: string): boolean => existsSync(markFile(dataFolder));

/** Runs the demo against the started system on this terminal. @returns the exit code of the demo */
export async function showDemo(script: string, dataFolder: string): Promise<number> {
  const demo = spawn(process.execPath, ['--enable-source-maps', script], { stdio: 'inherit' });
  const end = () => demo.kill();
  process.once('exit', end);
  const code = await new Promise<number>((resolve, reject) => {
    demo.once('error', reject);
    demo.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  process.removeListener('exit', end);
  writeFileSync(markFile(dataFolder), '');
  return code;
}
