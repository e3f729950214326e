import type { ProcessTable } from '../provision/processes.js';
import type { Progress } from '../provision/progress.js';
import type { Environment, LocalSettings } from './local-settings.js';
import type { Supervisor } from './supervisor.js';

export interface SystemOptions {
  settings: LocalSettings;
  environment: Environment;
  processes: ProcessTable;
  supervisor: Supervisor;
  progress: Progress;
  print: (sentence: string) => void;
}
