#!/usr/bin/env node
// The program `parca` on the path, after npm link.
'use strict';

require('../enter.cjs')('start', process.argv.slice(2));
