// Loads an ES module from an old script: very old versions of Node cannot parse the word `import`.
'use strict';

const { pathToFileURL } = require('node:url');

module.exports = (path) => import(pathToFileURL(path).href);
