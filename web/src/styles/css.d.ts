// Styles that are loaded with a module.
declare module '*.css';
