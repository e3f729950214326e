/** Cases that fail, with the reason of each group. Every other case passes. */
export const failures: { reason: string; cases: string[] }[] = [
  {
    reason:
      'The result has been another one since the first release, and expressions of published revisions depend on it: `string()` of a timestamp always has milliseconds, and `getMilliseconds()` of a duration is its whole length.',
    cases: [
      'timestamps/timestamp_conversions/toString_timestamp',
      'timestamps/duration_converters/get_milliseconds',
    ],
  },
  {
    reason:
      'Likewise, `int()` and `uint()` of a double and `string()` of bytes have a result for every value.',
    cases: [
      'conversions/int/double_int_max_range',
      'conversions/int/double_int_min_range',
      'conversions/int/double_range',
      'conversions/string/bytes_invalid',
      'conversions/uint/double_uint_max_range',
    ],
  },
  {
    reason: 'Timestamps have milliseconds, not nanoseconds.',
    cases: [
      'timestamps/timestamp_conversions/toString_timestamp_nanos',
      'timestamps/timestamp_arithmetic/add_time_to_duration_nanos_positive',
      'timestamps/timestamp_range/add_duration_nanos_over',
    ],
  },
  {
    reason: 'The difference of any two timestamps is a duration: durations reach ten thousand years.',
    cases: [
      'timestamps/timestamp_range/sub_time_duration_over',
      'timestamps/timestamp_range/sub_time_duration_under',
    ],
  },
  {
    reason: 'Whole numbers and doubles are compared exactly, not rounded to doubles.',
    cases: [
      'comparisons/lt_literal/not_lt_dyn_int_big_lossy_double',
      'comparisons/gt_literal/not_gt_dyn_big_double_int',
      'comparisons/lte_literal/lte_dyn_big_double_int',
      'comparisons/gte_literal/gte_dyn_int_big_lossy_double',
    ],
  },
  {
    reason: 'The keys of maps are texts, as in JSON.',
    cases: ['macros/exists_one/map_one'],
  },
  {
    reason: 'A number begins with a digit: `0.99`, not `.99`.',
    cases: ['comparisons/gt_literal/not_gt_double'],
  },
  {
    reason: 'A pattern must not repeat a group that branches: the time to match it cannot be bounded.',
    cases: ['string/matches/unicode_smp'],
  },
  {
    reason:
      'Names of variables have no dots, and are not looked up in a package: the variables are those of the service.',
    cases: [
      'fields/qualified_identifier_resolution/qualified_ident',
      'fields/qualified_identifier_resolution/map_field_select',
      'fields/qualified_identifier_resolution/ident_with_longest_prefix_check',
      'namespace/qualified/self_eval_qualified_lookup',
      'namespace/namespace/self_eval_container_lookup',
    ],
  },
  {
    reason: 'The case declares functions and types of its own, which definitions cannot.',
    cases: [
      'type_deductions/functions/function_result_type',
      'type_deductions/type_parameters/multiple_parameters_generality',
      'type_deductions/type_parameters/multiple_parameters_generality_2',
      'type_deductions/type_parameters/multiple_parameters_parameterized_ovl',
      'type_deductions/type_parameters/multiple_parameters_parameterized_ovl_2',
    ],
  },
];

const reservedNames =
  'as break const continue else for function if import let loop package namespace return var void while';

/** Cases that switch the type check off and fail, because types are always checked here. */
export const failuresUnchecked: string[] = [
  'basic/variables/unbound_is_runtime_error',
  'basic/functions/unbound_is_runtime_error',
  'comparisons/eq_literal/not_eq_list_length',
  'comparisons/eq_literal/eq_list_elem_mixed_types',
  'fields/qualified_identifier_resolution/qualified_identifier_resolution_unchecked',
  'logic/conditional/mixed_type',
  'logic/AND/short_circuit_type_left',
  'logic/AND/short_circuit_type_right',
  'logic/OR/short_circuit_type_left',
  'logic/OR/short_circuit_type_right',
  'namespace/namespace/self_eval_container_lookup_unchecked',
  ...reservedNames.split(' ').map((name) => `parse/receiver_function_names/${name}`),
];
