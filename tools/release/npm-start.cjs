#!/usr/bin/env node
// Commands of the npm package, one copy for each: `bin/parca.cjs` runs `cmd/parca/main.js`, with
// the Node that started it if that is new enough, or else with the Node that was installed as a
// package.
'use strict';

const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
const { constants } = require('node:os');
const { basename, dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

const command = basename(__filename, '.cjs');
const main = join(__dirname, '../cmd', command, 'main.js');
const args = withConfig(process.argv.slice(2));
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 24 || (major === 24 && minor >= 15)) {
  process.argv.splice(1, Infinity, main, ...args);
  void import(pathToFileURL(main).href);
} else {
  become(pinnedNode(), [main, ...args]);
}

/**
 * Adds the package's config if the server would not find one, so that `npx parca-ts` just starts.
 */
function withConfig(given) {
  const isChosen = given.some((arg) => /^--config-path(=|$)/.test(arg)) || existsSync('parca.yaml');
  if (command !== 'parca' || isChosen) return given;
  return [`--config-path=${join(__dirname, '../parca.yaml')}`, ...given];
}

function pinnedNode() {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin/node');
  } catch {
    const found = `this is Node ${process.versions.node}, and there is no package ${name}`;
    process.stderr.write(`cannot start: Node 24.15 or newer is needed; ${found}\n`);
    return process.exit(1);
  }
}

/** Stays as a parent that forwards signals, and exits like its child. */
function become(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // In a terminal, Ctrl-C has already interrupted the child.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`cannot start ${node}: ${error.message}\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) =>
    process.exit(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
  );
}
