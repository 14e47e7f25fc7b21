// This source file is part of swift-archiving.
// SPDX-License-Identifier: Apache-2.0

// Foundation's predicates, their operators and their expressions. Objects of subclasses have the form of the nearest class.
extension RecordForm {
    static let predicates: [RecordForm] = [
        RecordForm("NSTruePredicate"),
        RecordForm("NSFalsePredicate"),
        RecordForm(
            "NSCompoundPredicate",
            [
                .choice("compoundPredicateType", "NSCompoundPredicateType", of: ["not", "and", "or"]).required,
                .list("subpredicates", "NSSubpredicates").required,
            ]),
        RecordForm(
            "NSComparisonPredicate",
            [
                .object("leftExpression", "NSLeftExpression").required,
                .object("predicateOperator", "NSPredicateOperator").required,
                .object("rightExpression", "NSRightExpression").required,
            ]),
        RecordForm(
            "NSPredicateOperator",
            [
                .choice("type", "NSOperatorType", of: operatorNames).required,
                .choice("modifier", "NSModifier", of: ["direct", "all", "any"]),
                .flags("options", "NSOptions", "NSFlags", bits: ["caseInsensitive", "diacriticInsensitive"]),
                .boolean("isNegated", "NSNegate"),
                .integer("variant", "NSVariant"),
                .choice("position", "NSPosition", of: ["start", "end"]),
                .text("selector", "NSSelectorName"),
            ]),
        expression("NSExpression"),
        expression(
            "NSConstantValueExpression",
            [.object("constantValue", "NSConstantValue"), .text("className", "NSConstantValueClassName")]),
        expression("NSVariableExpression", [.text("variable", "NSVariable").required]),
        expression("NSKeyPathSpecifierExpression", [.text("keyPath", "NSKeyPath").required]),
        RecordForm(
            "NSFunctionExpression",
            [
                expressionType, .text("function", "NSSelectorName").required, .object("operand", "NSOperand"),
                .list("arguments", "NSArguments"),
            ]),
        expression("NSAggregateExpression", [.object("collection", "NSCollection").required]),
    ]

    private static func expression(_ name: String, _ fields: [Field] = []) -> RecordForm {
        RecordForm(name, [expressionType] + fields)
    }

    private static let expressionType = Field.choice(
        "expressionType", "NSExpressionType",
        of: [
            0: "constantValue", 1: "evaluatedObject", 2: "variable", 3: "keyPath", 4: "function", 5: "unionSet",
            6: "intersectSet", 7: "minusSet", 10: "keyPathSpecifier", 13: "subquery", 14: "aggregate", 15: "anyKey",
            19: "block", 20: "conditional",
        ]
    ).required

    private static let operatorNames: [Int: String] = [
        0: "lessThan", 1: "lessThanOrEqualTo", 2: "greaterThan", 3: "greaterThanOrEqualTo", 4: "equalTo",
        5: "notEqualTo", 6: "matches", 7: "like", 8: "beginsWith", 9: "endsWith", 10: "in", 11: "customSelector",
        99: "contains", 100: "between",
    ]
}
