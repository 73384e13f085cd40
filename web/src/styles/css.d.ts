// Styles that a module brings along when it is loaded.
declare module '*.css';
