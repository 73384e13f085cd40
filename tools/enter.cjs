// Entry point of the npm scripts and of the programs `parca`, `parca-agent` and `parcatool`, for
// any version of Node.
//
//     node tools/enter.cjs start --http-address :7171
//
// It uses only JavaScript of 2009, so that an outdated Node can parse it and report that it is too
// old, before anything is installed.
'use strict';

var nodeVersionMin = 20;

/** Calls the module of that name in this folder with `args`. */
function enter(name, args) {
  var version = process.versions.node;
  if (Number(version.split('.')[0]) < nodeVersionMin) {
    var need = 'Node ' + nodeVersionMin + ' or newer is needed';
    process.stderr.write('cannot start: ' + need + ', this is Node ' + version + '\n');
    process.exit(1);
  }
  var path = require('path').join(__dirname, name + '.mjs');
  process.argv = [process.argv[0], path].concat(args);
  void require('./import-module.cjs')(path);
}

module.exports = enter;
if (require.main === module) enter(process.argv[2], process.argv.slice(3));
