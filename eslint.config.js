// How the scripts are written. `node_modules/.bin/eslint --fix` writes them so.
import js from "@eslint/js";
import stylistic from "@stylistic/eslint-plugin";

export default [
  { ignores: [".venv/", "dist/", "screens/", "site/"] },
  js.configs.recommended,
  stylistic.configs.customize({
    arrowParens: true,
    braceStyle: "1tbs",
    commaDangle: "always-multiline",
    indent: 2,
    jsx: false,
    quotes: "double",
    semi: true,
  }),
  {
    rules: {
      // tsc knows which names there are.
      "no-undef": "off",
      "array-callback-return": "error",
      "dot-notation": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-else-return": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
      "no-unused-vars": ["error", { args: "none", caughtErrors: "none" }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "@stylistic/max-len": ["error", { code: 160, ignoreUrls: true }],
      // A handler of a few words stays on its line.
      "@stylistic/max-statements-per-line": ["error", { max: 3 }],
      "@stylistic/multiline-ternary": "off",
      "@stylistic/quote-props": ["error", "as-needed"],
    },
  },
];
