#!/usr/bin/env node
// The program `parcatool` on the path, after npm link.
'use strict';

require('../enter.cjs')('parcatool', process.argv.slice(2));
