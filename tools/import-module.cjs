// Loads a module of today from a script of yesterday: old Nodes cannot even read the word `import`.
'use strict';

const { pathToFileURL } = require('node:url');

module.exports = (path) => import(pathToFileURL(path).href);
