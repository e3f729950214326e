import { installNpmTool } from './npm-tool.js';

/** Installs the official conformance suite. @returns the program and its first argument */
export const installConformance = () =>
  installNpmTool('@modelcontextprotocol/conformance@0.2.0-alpha.12', 'dist/index.js');
