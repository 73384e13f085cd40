#!/usr/bin/env node
// The program `parca-agent` on the path, after npm link.
'use strict';

require('../enter.cjs')('agent', process.argv.slice(2));
