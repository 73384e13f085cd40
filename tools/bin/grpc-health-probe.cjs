#!/usr/bin/env node
// The program `/grpc_health_probe` of images, for Node that runs TypeScript.
'use strict';

const { run } = require('../../cmd/grpc-health-probe/main.ts');

void run(process.argv.slice(2)).then((code) => process.exit(code));
